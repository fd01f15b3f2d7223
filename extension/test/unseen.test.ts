import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { UnseenTyping } from "../src/content/unseen";

function setUp() {
  const page = new EventTarget();
  (globalThis as unknown as { window: EventTarget }).window = page;
  mock.timers.enable({ apis: ["Date"], now: 1_000 });
  let changes = 0;
  const typing = new UnseenTyping(() => (changes += 1));
  const type = (keys: number): void => {
    for (let key = 0; key < keys; key += 1) typing.note();
  };
  return { page, typing, type, changes: () => changes };
}

test("where was last typed in counts, and a few keys may be the page's shortcuts", () => {
  const { typing, type } = setUp();
  type(11);
  assert.equal(typing.isSeen, false);
  type(1);
  assert.equal(typing.isSeen, true);
  typing.fieldTyped();
  assert.equal(typing.isSeen, false);
  type(11);
  assert.equal(typing.isSeen, false);
  type(1);
  assert.equal(typing.isSeen, true);
  mock.timers.reset();
});

test("keys change nothing of what is reported until the user turns elsewhere", () => {
  const { page, typing, changes } = setUp();
  for (let key = 0; key < 5; key += 1) typing.fieldTyped();
  assert.deepEqual([typing.typedAt, changes()], [1_000, 1]);
  mock.timers.tick(500);
  typing.fieldTyped();
  assert.deepEqual([typing.typedAt, changes()], [1_000, 1]);
  // The user types in another frame and comes back.
  page.dispatchEvent(new Event("blur"));
  typing.fieldTyped();
  assert.deepEqual([typing.typedAt, changes()], [1_500, 2]);
  mock.timers.reset();
});
