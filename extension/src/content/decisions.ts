/** Telling the daemon what was chosen. A choice always takes effect in the page, whether it could be remembered or not. */
import type { Finding } from "../finding";
import type { Decision, RecordOutcome } from "../protocol";
import type { Rule } from "../ui/card";
import type { StringKey } from "../ui/strings";
import type { Wording } from "../wording";
import { ask } from "./background";

/** `reached`: what a generalized phrase tells now, where that is known. */
export function recordDecision(decision: Decision, finding: Finding, reached: Wording["reached"] = null): Promise<RecordOutcome> {
  return ask({ kind: "RecordDecision", decision, finding, reached }).catch(() => ({ ok: false, code: "failed" }) as const);
}

export async function takeBack(record: Promise<RecordOutcome>): Promise<void> {
  const outcome = await record;
  if (outcome.ok && outcome.id !== null) await ask({ kind: "DeleteDecision", id: outcome.id }).catch(() => undefined);
}

/** True when the rule will hold beyond this page; else why not. */
export async function addRule(rule: Exclude<Rule, "redact_phrase">, finding: Finding): Promise<true | StringKey> {
  if (rule === "quiet_kind_here") {
    return ask({ kind: "QuietKindHere", category: finding.category }).then(
      () => true as const,
      () => "stateUpdated" as const,
    );
  }
  const outcome =
    rule === "keep_phrase"
      ? await recordDecision("allowed_always", finding)
      : await ask({ kind: "AddRule", rule: "allow", scope: "category", value: finding.category }).catch(
          () => ({ ok: false, code: "failed" }) as const,
        );
  return outcome.ok ? true : reasonKey(outcome.code);
}

export function reasonKey(code: string): StringKey {
  const reasons: Readonly<Record<string, StringKey>> = {
    daemon_down: "stateDown",
    not_paired: "stateNotPaired",
    pairing_locked: "statePairingLocked",
    profile_locked: "stateLocked",
    profile_off: "reasonNoProfile",
  };
  return reasons[code] ?? "reasonFailed";
}
