import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Replies } from "../src/ui/replies";

const ENTRIES = [{ placeholder: "[NAME_1]", value: "Ann Lee" }];

/** A page without text that counts how often it is looked through. */
function setUp() {
  let looks = 0;
  class Observer {
    observe(): void {}
    disconnect(): void {}
  }
  Object.assign(globalThis, {
    MutationObserver: Observer,
    NodeFilter: { SHOW_TEXT: 4 },
    window: new EventTarget(),
    requestAnimationFrame: () => 1,
    cancelAnimationFrame: () => undefined,
    document: {
      body: {},
      createTreeWalker: () => {
        looks += 1;
        return { nextNode: () => null };
      },
    },
  });
  mock.timers.enable({ apis: ["setTimeout"] });
  const replies = new Replies(
    () => ({}) as ShadowRoot,
    () => "",
  );
  return { replies, looks: () => looks };
}

test("after a conversation without placeholders replies are looked through again, though a look was pending", () => {
  const { replies, looks } = setUp();
  replies.set(ENTRIES);
  replies.set([]);
  mock.timers.tick(1_000);
  assert.equal(looks(), 0);
  replies.set(ENTRIES);
  mock.timers.tick(1_000);
  assert.equal(looks(), 1);
  mock.timers.reset();
});
