/** What the page logic is given from outside: it has no network and no browser API of its own. */
import type { Finding } from "../finding";

export type FailureCode =
  | "daemon_down" | "not_paired" | "pairing_locked" | "detector_failed" | "timed_out" | "busy" | "too_long" | "extension_updated" | "failed";

export interface DetectAnswer {
  findings: Finding[];
  checkedBy: "model" | "patterns";
  profile: "on" | "locked" | "off" | "paused";
}

export type DetectOutcome = { ok: true; answer: DetectAnswer } | { ok: false; code: FailureCode };

/** Never rejects: whatever goes wrong is an outcome with a code. */
export type Detect = (text: string) => Promise<DetectOutcome>;
