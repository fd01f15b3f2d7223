import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeeper } from "../src/content/conversation";
import { pickMark } from "../src/content/marks";
import { nearest } from "../src/content/choices";
import { makeMark } from "../src/page-core/mark";
import { findPlaceholders, restore, stemOf } from "../src/page-core/restoring";
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

const STAND_INS = [
  { placeholder: "Clara Hollis", value: "Ann Lee" },
  { placeholder: "Clara", value: "Ann" },
  { placeholder: "Hollis", value: "Lee" },
  { placeholder: "202-555-0143", value: "415 555 2671" },
  { placeholder: "许晓晴", value: "王小明" },
  { placeholder: "Ivy.Hollis@example.com", value: "ann@lee.org" },
];

test("stand-ins are found whole, by first name, in the possessive and in other spacing", () => {
  for (const [text, expected] of [
    ["Dear Clara Hollis, hello", "Dear Ann Lee, hello"],
    ["Clara\u00a0Hollis", "Ann Lee"],
    ["Clara's job and Hollis’s house", "Ann's job and Lee’s house"],
    ["Claras Haus", "Anns Haus"],
    ["call (202) 555-0143 or +2025550143.", "call 415 555 2671 or 415 555 2671."],
    ["请转告许晓晴，谢谢", "请转告王小明，谢谢"],
    ["write to ivy.hollis@EXAMPLE.com", "write to ann@lee.org"],
  ] as const) {
    assert.equal(restore(text, STAND_INS), expected);
  }
});

test("a word that only holds a stand-in is not one", () => {
  for (const text of ["Clarabelle", "Clarax", "clara", "Hollister", "1202-555-01439"]) assert.equal(restore(text, STAND_INS), text, text);
});

test("the quick look finds every text that the thorough one does", () => {
  for (const { placeholder } of [...STAND_INS, ...ENTRIES]) {
    for (const text of [placeholder, placeholder.toLowerCase(), placeholder.replaceAll(/[-\s]/g, " ")]) {
      assert.ok(text.toLowerCase().includes(stemOf(placeholder)), text);
    }
  }
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
