import assert from "node:assert/strict";
import { test } from "node:test";
import { clauseAround, readWordings } from "../src/wording";

const TEXT = "😀 is it normal that an 8 year old asks?";
const START = TEXT.indexOf("8 year old");
const clause = clauseAround(TEXT, START, START + 10);
const offer = { text: "a child", start: clause.start - 3, end: clause.end, granularity: 1, identifiability: 1 };

test("a clause holds the phrase where its offsets say", () => {
  const long = "x".repeat(1_000) + TEXT + "y".repeat(1_000);
  const around = clauseAround(long, 1_000 + START, 1_000 + START + 10);
  assert.equal(around.text.slice(around.start, around.end), "8 year old");
  assert.ok(around.text.length < 400);
});

test("a wording may take the article before the phrase with it", () => {
  assert.deepEqual(readWordings(clause, { suggestions: [offer] }), [
    { text: "a child", lead: 3, reached: { granularity: 1, identifiability: 1 } },
  ]);
});

test("what does not fit the phrase is not offered", () => {
  const bad = [
    { ...offer, end: offer.end + 1 }, { ...offer, start: offer.end }, { ...offer, start: -1 }, { ...offer, text: "" }, { ...offer, text: "a\nb" },
    { ...offer, text: "x".repeat(500) }, { ...offer, granularity: 4 }, { ...offer, start: "3" }, null, 7,
  ];
  for (const one of bad) assert.deepEqual(readWordings(clause, { suggestions: [one] }), [], JSON.stringify(one));
  for (const answer of [null, {}, { suggestions: "x" }]) assert.deepEqual(readWordings(clause, answer), []);
});
