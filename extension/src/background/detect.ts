/** Asks the daemon about a text and lets in only findings that really stand in it. */
import { isFindingIn, type Finding } from "../finding";
import type { DetectOutcome, FailureCode } from "../page-core/provider";
import { MAX_TEXT_CHARS, type DaemonErrorCode } from "../protocol";
import { DaemonError, post } from "./daemon";

const FAILURES: readonly string[] = ["daemon_down", "not_paired", "pairing_locked", "detector_failed", "timed_out", "busy", "too_long"];

export function failureFor(code: DaemonErrorCode): FailureCode {
  return FAILURES.includes(code) ? (code as FailureCode) : "failed";
}

export async function detect(text: string, site: string): Promise<DetectOutcome> {
  if (text.length > MAX_TEXT_CHARS) return { ok: false, code: "too_long" };
  try {
    // Editors use no-break spaces for layout, and half a surrogate pair is not accepted; the length stays the same.
    const sent = text.replaceAll("\u00a0", " ").toWellFormed();
    const answer = await post("/v1/detect", { text: sent, ...(site === "" ? {} : { site }), recipient: "ai_provider" });
    return readAnswer(text, sent, answer);
  } catch (error) {
    return { ok: false, code: error instanceof DaemonError ? failureFor(error.code) : "failed" };
  }
}

export function readAnswer(text: string, sent: string, answer: unknown): DetectOutcome {
  const { findings, checked_by: checkedBy, profile } = (answer ?? {}) as Record<string, unknown>;
  // No detector at work means not checked, whatever else the answer says.
  if (checkedBy !== "model" && checkedBy !== "patterns") return { ok: false, code: "detector_failed" };
  if (!Array.isArray(findings) || !findings.every((item) => isFindingIn(sent, item))) return { ok: false, code: "failed" };
  const isProfile = profile === "on" || profile === "locked" || profile === "off" || profile === "paused";
  return {
    ok: true,
    answer: {
      findings: (findings as Finding[]).map((finding) => ({ ...finding, phrase: text.slice(finding.start, finding.end) })),
      checkedBy,
      profile: isProfile ? profile : "off",
    },
  };
}
