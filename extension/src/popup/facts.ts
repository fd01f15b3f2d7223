/** How Limen itself is doing, in three short facts. What the daemon did not say is said to be unknown. */
import type { DaemonStatus, StatusOutcome } from "../protocol";
import { element } from "../ui/element";
import type { StringKey, Translate } from "../ui/strings";

export interface Fact {
  name: StringKey;
  /** Already in the user's language. */
  value: string;
}

const UNANSWERED: Readonly<Record<string, StringKey>> = {
  daemon_down: "factDown",
  not_paired: "factNotPaired",
  pairing_locked: "factPairingLocked",
  timed_out: "factTimedOut",
};

const PROFILES: Readonly<Record<string, StringKey>> = {
  on: "factProfileOpen",
  locked: "factProfileLocked",
  off: "factProfileOff",
  paused: "factProfilePaused",
};

function detectorOf(t: Translate, { checked_by: by, detector }: DaemonStatus): string {
  if (by === "model") return detector?.id ?? t("factUnknown");
  if (by === "patterns") return t("factPatterns");
  return t(by === "none" ? "factNoDetector" : "factUnknown");
}

function profileOf(t: Translate, { profile, paused_until: until }: DaemonStatus, now: number): string {
  if (profile === "paused" && until !== null && until > now) {
    return t("factProfilePausedFor", { minutes: Math.ceil((until - now) / 60_000) });
  }
  return t(PROFILES[profile] ?? "factUnknown");
}

export function factsOf(t: Translate, outcome: StatusOutcome, now = Date.now()): Fact[] {
  const { status } = outcome.ok ? outcome : { status: null };
  const daemon = outcome.ok ? t("factRuns", { version: outcome.status.version }) : t(UNANSWERED[outcome.code] ?? "factUnknown");
  return [
    { name: "factDaemon", value: daemon },
    { name: "factDetector", value: status ? detectorOf(t, status) : t("factUnknown") },
    { name: "factProfile", value: status ? profileOf(t, status, now) : t("factUnknown") },
  ];
}

/** Filled in once the daemon answers, which may take long: the rest of the popup does not wait for it. */
export function factList(t: Translate, asked: Promise<StatusOutcome>): HTMLElement {
  const list = element("dl", { id: "facts" });
  void asked.then((outcome) => {
    for (const { name, value } of factsOf(t, outcome)) list.append(element("dt", {}, t(name)), element("dd", {}, value));
  });
  return list;
}
