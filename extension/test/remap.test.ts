import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMark } from "../src/page-core/mark";
import { remap, remapOffset, singleEdit } from "../src/page-core/remap";
import { makeFinding } from "./makeFinding";

const marksIn = (text: string, ...phrases: string[]) =>
  phrases.map((phrase) => makeMark(makeFinding({ start: text.indexOf(phrase), phrase }), 0));

const edited = (before: string, after: string, ...phrases: string[]): string[] => {
  const edit = singleEdit(before, after);
  assert.ok(edit);
  return remap(marksIn(before, ...phrases), edit, after).map((mark) => after.slice(mark.start, mark.end));
};

test("the same text is no edit", () => {
  assert.equal(singleEdit("a nurse", "a nurse"), null);
});

test("typing before a mark moves it, typing after leaves it", () => {
  assert.deepEqual(edited("a nurse in Leeds", "Hi, a nurse in Leeds", "a nurse", "in Leeds"), ["a nurse", "in Leeds"]);
  assert.deepEqual(edited("a nurse in Leeds", "a nurse in Leeds now", "a nurse", "in Leeds"), ["a nurse", "in Leeds"]);
});

test("a mark whose phrase is edited is dropped, the others stay", () => {
  assert.deepEqual(edited("a nurse in Leeds", "a nursse in Leeds", "a nurse", "in Leeds"), ["in Leeds"]);
});

test("emptying the text drops every mark", () => {
  assert.deepEqual(edited("a nurse in Leeds", "", "a nurse", "in Leeds"), []);
});

test("emoji before a mark shift it by two units", () => {
  assert.deepEqual(edited("in Leeds", "🙂in Leeds", "in Leeds"), ["in Leeds"]);
});

test("repeated letters do not let a mark slide onto other text", () => {
  const before = "aaaa bbbb";
  for (let at = 0; at <= before.length; at += 1) {
    const after = `${before.slice(0, at)}a${before.slice(at)}`;
    for (const text of edited(before, after, "bbbb")) assert.equal(text, "bbbb");
  }
});

test("an offset inside the replaced part goes to its end", () => {
  const edit = singleEdit("I am Ann Lee here", "I am [NAME_1] here");
  assert.ok(edit);
  assert.equal(remapOffset(2, edit), 2);
  assert.equal(remapOffset(7, edit), edit.newEnd);
  assert.equal(remapOffset(17, edit), 18);
});
