import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeeper } from "../src/content/conversation";
import { pickMark } from "../src/content/marks";
import { nearest } from "../src/content/choices";
import { makeMark } from "../src/page-core/mark";
import { findPlaceholders, restore } from "../src/page-core/restoring";
import { makeFinding } from "./makeFinding";

const ENTRIES = [
  { placeholder: "[NAME_1]", value: "Ann Lee" },
  { placeholder: "[NAME_12]", value: "Bo" },
];

test("placeholders are found as they were given and as assistants bend them", () => {
  for (const text of ["[NAME_1]", "[Name_1]", "[name 1]", "**NAME_1**", "【NAME_1】", "NAME_1]", "(NAME-1)", "`NAME_1`"]) {
    assert.match(restore(`Dear ${text}, hello`, ENTRIES), /Dear .*Ann Lee.*, hello/, text);
  }
});

test("what is no placeholder stays", () => {
  for (const text of ["name 1 of 3", "rename_1", "[NAME_13]", "[NAME_2]", "NAME", "filename_1x"]) {
    assert.equal(restore(text, ENTRIES), text, text);
  }
});

test("the longer number is not taken for the shorter", () => {
  assert.equal(restore("[NAME_12] and [NAME_1]", ENTRIES), "Bo and Ann Lee");
  assert.deepEqual(findPlaceholders("[NAME_12]", ENTRIES).map((found) => found.value), ["Bo"]);
});

test("a chat that gets its address takes its placeholders along, another chat does not", () => {
  assert.equal(isDeeper("https://chatgpt.com", "https://chatgpt.com/c/1"), true);
  assert.equal(isDeeper("https://claude.ai/new", "https://claude.ai/chat/1"), true);
  assert.equal(isDeeper("https://chatgpt.com/c/1", "https://chatgpt.com/c/2"), false);
  assert.equal(isDeeper("https://chatgpt.com/c/1", "https://chatgpt.com"), false);
  assert.equal(isDeeper("", "https://chatgpt.com/c/1"), false);
});

test("next and previous go round, open takes the nearest", () => {
  const marks = [0, 10, 20].map((start) => makeMark(makeFinding({ start, phrase: "abc" }), 0));
  const [first, second, third] = marks as [(typeof marks)[0], (typeof marks)[0], (typeof marks)[0]];
  assert.equal(pickMark(marks, null, 5, "next-mark"), second);
  assert.equal(pickMark(marks, third.id, 5, "next-mark"), first);
  assert.equal(pickMark(marks, first.id, 5, "previous-mark"), third);
  assert.equal(pickMark(marks, null, 0, "previous-mark"), third);
  assert.equal(pickMark(marks, null, 15, "open-mark"), second);
  assert.equal(pickMark(marks, null, 99, "open-mark"), third);
});

test("an undo finds its placeholder where it stands now", () => {
  assert.equal(nearest("[A_1] x [A_1]", "[A_1]", 7), 8);
  assert.equal(nearest("[A_1] x", "[A_1]", 7), 0);
  assert.equal(nearest("gone", "[A_1]", 2), -1);
});
