import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { Finding } from "../src/finding";
import type { Caret, Field } from "../src/page-core/field";
import type { Mark } from "../src/page-core/mark";
import { ParagraphMemory } from "../src/page-core/memory";
import type { DetectOutcome } from "../src/page-core/provider";
import { FieldSession } from "../src/page-core/session";
import { makeFinding } from "./makeFinding";

const DEBOUNCE_MS = 300;

/** A field without a page: its text is set, its marks are kept for looking at. */
class BareField implements Field {
  readonly host = {} as HTMLElement;
  readonly kind = "textarea";
  text: string;
  painted: string[] = [];

  constructor(text: string) {
    this.text = text;
  }
  read(): string {
    return this.text;
  }
  readAfter(): string {
    return this.text;
  }
  lookAround(): void {}
  paint(marks: readonly Mark[]): void {
    this.painted = marks.filter((mark) => mark.look !== "quiet").map((mark) => this.text.slice(mark.start, mark.end));
  }
  rects(): DOMRect[] {
    return [];
  }
  caret(): Caret {
    return { anchor: this.text.length, focus: this.text.length, direction: "none" };
  }
  select(): boolean {
    return true;
  }
  reveal(): void {}
  dispose(): void {
    this.painted = [];
  }
}

const find = (text: string, ...phrases: string[]): Finding[] =>
  phrases.filter((phrase) => text.includes(phrase)).map((phrase) => makeFinding({ start: text.indexOf(phrase), phrase }));

interface Question {
  text: string;
  answer: (outcome: DetectOutcome) => void;
}

function resetClocks(): void {
  mock.timers.reset();
  mock.reset();
}

function setUp(text: string, isKept: (finding: Finding) => boolean = () => false) {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  // The two clocks go together, as in a browser.
  mock.method(performance, "now", () => Date.now());
  const field = new BareField(text);
  const asked: Question[] = [];
  const session = new FieldSession(field, {
    detect: (question) => new Promise((answer) => asked.push({ text: question, answer })),
    memory: new ParagraphMemory(),
    debounceMs: DEBOUNCE_MS,
    isKept,
    onChange: () => undefined,
    onEdit: () => undefined,
  });
  const edit = (after: string): void => {
    field.text = after;
    session.sync();
  };
  const answer = async (index: number, ...phrases: string[]): Promise<void> => {
    const question = asked[index]!;
    question.answer({ ok: true, answer: { findings: find(question.text, ...phrases), checkedBy: "model", profile: "off" } });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { field, session, asked, edit, answer };
}

test("nothing is asked while keys are coming, one thing when they pause", () => {
  const { asked, edit } = setUp("");
  for (const text of ["I", "I ", "I a", "I am"]) {
    edit(text);
    mock.timers.tick(DEBOUNCE_MS - 1);
  }
  assert.equal(asked.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(asked.map((question) => question.text), ["I am"]);
  resetClocks();
});

test("an answer marks the text it was asked for, moved along with what was typed meanwhile", async () => {
  const { field, asked, edit, answer } = setUp("I am a nurse");
  mock.timers.tick(DEBOUNCE_MS);
  assert.equal(asked.length, 1);
  await answer(0, "a nurse");
  assert.deepEqual(field.painted, ["a nurse"]);
  edit("Hi, I am a nurse");
  assert.deepEqual(field.painted, ["a nurse"]);
  resetClocks();
});

test("a late answer to an older text marks nothing in the newer one, and the newer is asked", async () => {
  const { field, asked, edit, answer } = setUp("I am a nurse");
  mock.timers.tick(DEBOUNCE_MS);
  edit("I am a nursery");
  await answer(0, "a nurse");
  assert.deepEqual(field.painted, []);
  mock.timers.tick(DEBOUNCE_MS);
  assert.equal(asked[1]?.text, "I am a nursery");
  resetClocks();
});

test("a text that was answered before is marked at once and not asked again", async () => {
  const { field, asked, edit, answer } = setUp("I am a nurse");
  mock.timers.tick(DEBOUNCE_MS);
  await answer(0, "a nurse");
  edit("");
  edit("I am a nurse");
  assert.deepEqual(field.painted, ["a nurse"]);
  mock.timers.tick(DEBOUNCE_MS * 2);
  assert.equal(asked.length, 1);
  resetClocks();
});

test("nothing is asked during a composition, everything after it", () => {
  const { session, asked, edit } = setUp("");
  session.compositionStarted();
  edit("n");
  edit("ni");
  mock.timers.tick(DEBOUNCE_MS * 3);
  assert.equal(asked.length, 0);
  edit("你");
  session.compositionEnded();
  mock.timers.tick(DEBOUNCE_MS);
  assert.deepEqual(asked.map((question) => question.text), ["你"]);
  resetClocks();
});

test("a failure is said, asked again by itself, and never taken for nothing found", async () => {
  const { session, asked } = setUp("I am a nurse");
  mock.timers.tick(DEBOUNCE_MS);
  asked[0]!.answer({ ok: false, code: "daemon_down" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(session.status, { state: "failed", code: "daemon_down" });
  mock.timers.tick(2_000);
  assert.equal(asked.length, 2);
  resetClocks();
});

test("a busy daemon leaves the text unchecked, not failed", async () => {
  const { session, asked } = setUp("I am a nurse");
  mock.timers.tick(DEBOUNCE_MS);
  asked[0]!.answer({ ok: false, code: "busy" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(session.status.state, "checking");
  resetClocks();
});

test("a long text is asked in pieces, and an edit asks for its paragraph and the next only", async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index} `.padEnd(200, "x"));
  const { session, asked, edit, answer } = setUp(lines.join("\n"));
  mock.timers.tick(DEBOUNCE_MS);
  for (let index = 0; index < asked.length; index += 1) {
    await answer(index);
    mock.timers.tick(1);
  }
  assert.equal(session.status.state, "checked");
  const before = asked.length;
  lines[7] += " edited";
  edit(lines.join("\n"));
  mock.timers.tick(DEBOUNCE_MS);
  assert.equal(asked.length, before + 1);
  assert.equal(asked[before]!.text, `${lines[7]}\n${lines[8]}`);
  resetClocks();
});

test("what is kept is known but not drawn", async () => {
  const { field, session, answer } = setUp("I am a nurse", () => true);
  mock.timers.tick(DEBOUNCE_MS);
  await answer(0, "a nurse");
  assert.deepEqual(field.painted, []);
  assert.equal(session.marks[0]?.look, "quiet");
  resetClocks();
});

test("after it is disposed nothing is asked and nothing is drawn", () => {
  const { field, session, asked } = setUp("I am a nurse");
  session.dispose();
  mock.timers.tick(DEBOUNCE_MS * 2);
  assert.equal(asked.length, 0);
  assert.deepEqual(field.painted, []);
  resetClocks();
});
