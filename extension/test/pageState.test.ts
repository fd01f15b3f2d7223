import assert from "node:assert/strict";
import { test } from "node:test";
import { pageState } from "../src/pageState";
import type { FrameState } from "../src/protocol";

const ON = { isOn: true, pausedUntil: 0 };
const frame = (given: Partial<FrameState> = {}): FrameState => ({
  isAttached: true, state: "checked", code: null, checkedBy: "model", profile: "on", marks: 0, isUnseen: false,
  typedAt: 0, hasAttachment: false, ...given,
});

test("only a checked page is fine", () => {
  assert.equal(pageState([frame()], ON).text, "stateFine");
  for (const state of ["empty", "checking", "slow", "failed"] as const) {
    assert.notEqual(pageState([frame({ state })], ON).text, "stateFine", state);
  }
});

test("one frame that was not checked outweighs all that were", () => {
  for (const code of ["daemon_down", "not_paired", "detector_failed", "timed_out", "too_long", "failed"] as const) {
    const shown = pageState([frame({ marks: 2 }), frame({ state: "failed", code })], ON);
    assert.equal(shown.icon, "unchecked");
    assert.match(shown.text, /^state(Down|NotPaired|Failed|TimedOut|TooLong)$/);
  }
});

test("marks are counted over the frames, one in its own words", () => {
  assert.deepEqual(pageState([frame({ marks: 1 })], ON), { icon: "on", text: "stateMarksOne", count: 1, action: "actionShow" });
  assert.equal(pageState([frame({ marks: 1 }), frame({ marks: 2 })], ON).count, 3);
});

test("patterns only, a locked profile, a file and an unseen box are each said", () => {
  assert.equal(pageState([frame({ checkedBy: "patterns" })], ON).text, "statePatterns");
  assert.equal(pageState([frame({ profile: "locked" })], ON).text, "stateLocked");
  assert.equal(pageState([frame({ hasAttachment: true })], ON).text, "stateAttachments");
  assert.equal(pageState([frame({ isAttached: false, isUnseen: true, typedAt: 1, state: "empty" })], ON).text, "stateUnseen");
});

test("what cannot be seen is said while it is where was last typed in, whatever fields there are elsewhere", () => {
  const unseen = frame({ isUnseen: true, typedAt: 200, marks: 1 });
  for (const typedAt of [0, 100]) {
    const shown = pageState([frame({ typedAt }), unseen], ON);
    assert.deepEqual([shown.icon, shown.text, shown.count], ["unseen", "stateUnseen", 1]);
  }
  assert.equal(pageState([frame({ typedAt: 300 }), unseen], ON).text, "stateMarksOne");
  assert.equal(pageState([unseen], ON).text, "stateUnseen");
});

test("off and paused come before everything", () => {
  assert.equal(pageState([frame({ state: "failed", code: "daemon_down" })], { isOn: false, pausedUntil: 0 }).text, "stateOff");
  const paused = pageState([frame()], { isOn: true, pausedUntil: 90_000 }, 0);
  assert.deepEqual([paused.text, paused.minutes, paused.action], ["statePaused", 2, "actionResume"]);
});
