/** Telling the daemon what was chosen. A choice always takes effect in the page, whether it could be remembered or not. */
import type { Finding } from "../finding";
import type { CallOutcome, Decision, RecordOutcome } from "../protocol";
import type { Rule } from "../ui/card";
import type { StringKey } from "../ui/strings";
import type { Wording } from "../wording";
import { ask } from "./background";

/** `reached`: what a generalized phrase tells now, where that is known. */
export function recordDecision(decision: Decision, finding: Finding, reached: Wording["reached"] = null): Promise<RecordOutcome> {
  return ask({ kind: "RecordDecision", decision, finding, reached }).catch(() => ({ ok: false, code: "failed" }) as const);
}

/** Why it could not be taken back, or null. The daemon takes the rule back that the decision made. */
export async function takeBack(record: Promise<RecordOutcome>): Promise<StringKey | null> {
  const outcome = await record;
  return outcome.ok && outcome.id !== null ? problemOf(ask({ kind: "DeleteDecision", id: outcome.id })) : null;
}

/** `problem`: why the rule holds on this page only; null when it holds beyond. */
export interface AddedRule {
  problem: StringKey | null;
  /** Gives in turn why it could not be taken back beyond this page. */
  takeBack: () => Promise<StringKey | null>;
}

export function addRule(rule: Exclude<Rule, "redact_phrase">, finding: Finding): Promise<AddedRule> {
  switch (rule) {
    case "keep_phrase":
      return allowPhrase(finding);
    case "keep_kind":
      return allowKind(finding);
    case "quiet_kind_here":
      return quietKindHere(finding.category);
  }
}

async function allowPhrase(finding: Finding): Promise<AddedRule> {
  const record = recordDecision("allowed_always", finding);
  const outcome = await record;
  return { problem: outcome.ok ? null : reasonKey(outcome.code), takeBack: () => takeBack(record) };
}

async function allowKind(finding: Finding): Promise<AddedRule> {
  const rule = { scope: "category", value: finding.category } as const;
  const added = ask({ kind: "AddRule", rule: "allow", ...rule });
  const problem = await problemOf(added);
  if (problem !== null) return { problem, takeBack: () => Promise.resolve(null) };
  const { body } = (await added) as { body?: { id?: unknown } | null };
  const id = typeof body?.id === "number" ? body.id : null;
  const { reason } = finding.boundary;
  // There is one rule per kind: where it was blocked before, that rule is what was replaced.
  const wasBlocked = reason?.kind === "rule" && reason.rule === "block" && reason.scope === "category";
  const undo = async (): Promise<StringKey | null> => {
    if (wasBlocked) return problemOf(ask({ kind: "AddRule", rule: "block", ...rule }));
    return id === null ? null : problemOf(ask({ kind: "RemoveRule", id }));
  };
  return { problem, takeBack: undo };
}

async function quietKindHere(category: Finding["category"]): Promise<AddedRule> {
  const problem = (asked: Promise<null>): Promise<StringKey | null> => asked.catch(() => "stateUpdated");
  return {
    problem: await problem(ask({ kind: "QuietKindHere", category })),
    takeBack: () => problem(ask({ kind: "MarkKindHere", category })),
  };
}

async function problemOf(call: Promise<CallOutcome>): Promise<StringKey | null> {
  const outcome = await call.catch(() => ({ ok: false, code: "failed" }) as const);
  return outcome.ok ? null : reasonKey(outcome.code);
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
