import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf } from "../src/popup/facts";
import type { DaemonStatus, StatusOutcome } from "../src/protocol";
import { translator } from "../src/ui/strings";

const NOW = 1_000_000;
const say = (outcome: StatusOutcome): string[] => factsOf(translator("en"), outcome, NOW).map(({ value }) => value);
const answer = (given: Partial<DaemonStatus> = {}): string[] =>
  say({
    ok: true,
    status: { version: "0.1.0", detector: { id: "limen-1" }, checked_by: "model", profile: "on", paused_until: null, ...given },
  });

test("the popup says which detector runs and how the profile is", () => {
  assert.deepEqual(answer(), ["runs on this computer, version 0.1.0", "limen-1", "open"]);
  const patterns = { detector: { id: "limen-patterns-1" }, checked_by: "patterns", profile: "locked" } as const;
  assert.deepEqual(answer(patterns).slice(1), ["patterns only", "locked"]);
  assert.deepEqual(answer({ detector: null, checked_by: "none", profile: "off" }).slice(1), [
    "none could be loaded", "off: none has been started",
  ]);
});

test("a pause is counted down while it lasts", () => {
  assert.equal(answer({ profile: "paused", paused_until: NOW + 90_000 })[2], "paused for 2 min");
  for (const paused_until of [null, NOW - 1]) assert.equal(answer({ profile: "paused", paused_until })[2], "paused");
});

test("what the daemon did not say is not known", () => {
  assert.deepEqual(say({ ok: false, code: "daemon_down" }), ["is not running on this computer", "not known", "not known"]);
  for (const code of ["busy", "refused", "failed"] as const) {
    assert.deepEqual(say({ ok: false, code }), ["not known", "not known", "not known"]);
  }
  const odd = { detector: null, checked_by: "magic", profile: "new" } as unknown as DaemonStatus;
  assert.deepEqual(answer(odd).slice(1), ["not known", "not known"]);
  assert.equal(answer({ detector: null })[1], "not known");
});
