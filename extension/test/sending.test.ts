import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Sending } from "../src/content/sending";
import type { Mark } from "../src/page-core/mark";
import type { FieldSession } from "../src/page-core/session";
import type { Gate } from "../src/protocol";

/** As much of a key as is looked at here. */
class Key extends Event {
  declare readonly key: string;
  declare readonly ctrlKey: boolean;
  declare readonly metaKey: boolean;

  constructor(type: string, init: Partial<Key> & EventInit = {}) {
    super(type, { bubbles: true, cancelable: true });
    Object.assign(this, { key: init.key, ctrlKey: init.ctrlKey ?? false, metaKey: init.metaKey ?? false });
  }
}

class Host extends EventTarget {
  isConnected = true;
  readonly keys: Key[] = [];

  constructor() {
    super();
    for (const type of ["keydown", "keypress", "keyup"]) this.addEventListener(type, (event) => this.keys.push(event as Key));
  }
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  // The two clocks go together, as in a browser.
  mock.method(performance, "now", () => Date.now());
  Object.assign(globalThis, { window: new EventTarget(), KeyboardEvent: Key, HTMLElement: Host });
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  for (const name of ["window", "KeyboardEvent", "HTMLElement"]) Reflect.deleteProperty(globalThis, name);
});

function setUp(text: string, gate: Gate = "off", isEnterSending = true) {
  const host = new Host();
  const marks = [{ look: "strong" }] as Mark[];
  const session = { text, marks, status: { state: "checked" }, field: { host } } as unknown as FieldSession;
  const sent: Mark[][] = [];
  const held: Array<() => void> = [];
  const bare: string[] = [];
  const sending = new Sending({
    gate: () => gate,
    sendHints: [],
    isEnterSending,
    sessionOf: () => session,
    current: () => session,
    hold: (_session, _marks, _isUnchecked, send) => held.push(send),
    sent: (left) => sent.push(left),
    sentWithoutText: () => bare.push("bare"),
  });
  const press = (modifiers: Partial<Key> = {}): void => void window.dispatchEvent(new Key("keydown", { key: "Enter", ...modifiers }));
  return { host, session, sending, sent, held, bare, press, marks };
}

test("where Enter begins a new line it is not held, and Ctrl with Enter is", () => {
  const { held, press } = setUp("my key", "gentle", false);
  press();
  assert.equal(held.length, 0);
  press({ ctrlKey: true });
  assert.equal(held.length, 1);
});

for (const modifier of ["ctrlKey", "metaKey"] as const) {
  test(`a message held at ${modifier} with Enter goes out by the same keys`, () => {
    const { host, held, press } = setUp("my key", "gentle");
    press({ [modifier]: true });
    held[0]!();
    const other = modifier === "ctrlKey" ? "metaKey" : "ctrlKey";
    assert.deepEqual(host.keys.map((key) => [key.type, key[modifier], key[other]]), [
      ["keydown", true, false],
      ["keypress", true, false],
      ["keyup", true, false],
    ]);
  });
}

test("a message held at a plain Enter goes out by a plain Enter", () => {
  const { host, held, press } = setUp("my key", "gentle");
  press();
  held[0]!();
  assert.deepEqual(host.keys.map((key) => key.ctrlKey || key.metaKey), [false, false, false]);
});

test("a field that the page takes away soon after Enter was sent, once", () => {
  const { host, session, sending, sent, press, marks } = setUp("my key");
  press();
  host.isConnected = false;
  sending.gone(session);
  mock.timers.tick(10_000);
  assert.deepEqual(sent, [marks]);
});

test("a field that is gone without another getting the focus was sent too", () => {
  const { host, sent, press, marks } = setUp("my key");
  press();
  host.isConnected = false;
  mock.timers.tick(4_000);
  assert.deepEqual(sent, [marks]);
});

test("a field that goes without Enter, or long after it, was not sent", () => {
  const { session, sending, sent, press } = setUp("my key");
  sending.gone(session);
  press();
  mock.timers.tick(4_000);
  sending.gone(session);
  assert.deepEqual(sent, []);
});

test("Enter in an empty field sends what has no text, Enter in a full one does not", () => {
  const empty = setUp(" ");
  empty.press();
  assert.deepEqual(empty.bare, ["bare"]);
  empty.sending.dispose();
  const full = setUp("my key");
  full.press();
  assert.deepEqual(full.bare, []);
});
