import assert from "node:assert/strict";
import { test } from "node:test";
import { nextBatch, PIECE_CHARS, splitParagraphs, WHOLE_TEXT_CHARS } from "../src/page-core/paragraphs";

const line = (number: number, length = 300): string => `${number} `.padEnd(length, "x");

test("a short message is checked as a whole, line breaks and all", () => {
  const text = "Write a story about\nJane, a nurse in Leeds.";
  assert.deepEqual(splitParagraphs(text).map((paragraph) => paragraph.text), [text]);
});

test("blank text has nothing to check", () => {
  assert.deepEqual(splitParagraphs(" \n\n "), []);
});

test("the paragraphs of a long text stand where they say", () => {
  const text = Array.from({ length: 12 }, (_, index) => line(index)).join("\n\n");
  const paragraphs = splitParagraphs(text);
  assert.equal(paragraphs.length, 12);
  for (const { start, text: own } of paragraphs) assert.equal(text.slice(start, start + own.length), own);
});

test("one endless line is cut into pieces that join to the line, never inside an emoji", () => {
  for (const text of ["🙂".repeat(5000), "word ".repeat(3000), "句子。".repeat(3000), "x".repeat(9001)]) {
    const pieces = splitParagraphs(text);
    assert.equal(pieces.map((piece) => piece.text).join(""), text);
    for (const { text: piece } of pieces) {
      assert.ok(piece.length <= PIECE_CHARS);
      assert.ok(piece.isWellFormed());
    }
  }
});

test("an edit asks again for its paragraph and the next one only", () => {
  const lines = Array.from({ length: 12 }, (_, index) => line(index));
  const known = new Set(splitParagraphs(lines.join("\n")).map((paragraph) => paragraph.key));
  lines[4] += " edited";
  const open = splitParagraphs(lines.join("\n")).filter((paragraph) => !known.has(paragraph.key));
  assert.deepEqual(open.map((paragraph) => paragraph.text), [lines[4], lines[5]]);
});

test("the paragraph at the caret is asked for first, in batches that stay small, until all is answered", () => {
  const text = Array.from({ length: 30 }, (_, index) => line(index)).join("\n");
  assert.ok(text.length > WHOLE_TEXT_CHARS);
  const paragraphs = splitParagraphs(text);
  const answered = new Set<string>();
  const caret = paragraphs[20]!.start + 3;
  const first = nextBatch(paragraphs, (key) => answered.has(key), caret);
  assert.equal(first?.start, paragraphs[20]!.start);
  let rounds = 0;
  for (;;) {
    const batch = nextBatch(paragraphs, (key) => answered.has(key), caret);
    if (!batch) break;
    assert.ok(batch.end - batch.start <= PIECE_CHARS);
    for (const paragraph of batch.paragraphs) answered.add(paragraph.key);
    rounds += 1;
  }
  assert.equal(answered.size, 30);
  assert.ok(rounds < 10);
});
