import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CATEGORIES } from "../src/finding";
import { languageOf, translator } from "../src/ui/strings";
import { de } from "../src/ui/strings/de";
import { en } from "../src/ui/strings/en";
import { zh } from "../src/ui/strings/zh";

const root = process.env.LIMEN_EXTENSION_ROOT!;
const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map((match) => match[0]).sort();

test("every language says everything, with the same blanks to fill", () => {
  for (const table of [de, zh]) {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(en).sort());
    for (const [key, text] of Object.entries(table)) {
      assert.notEqual(text.trim(), "");
      assert.deepEqual(holes(text), holes(en[key as keyof typeof en]), key);
    }
  }
});

test("every kind of disclosure has a name", () => {
  for (const category of CATEGORIES) assert.ok(`kind_${category}` in en, category);
});

test("the manifest's words exist in every language", () => {
  const keys = ["en", "de", "zh_CN"].map((name) =>
    Object.keys(JSON.parse(readFileSync(join(root, "_locales", name, "messages.json"), "utf8"))).sort(),
  );
  assert.deepEqual(keys[1], keys[0]);
  assert.deepEqual(keys[2], keys[0]);
});

test("the voice stays calm: no scolding, no jargon", () => {
  for (const text of Object.values(en)) assert.doesNotMatch(text, /\b(PII|entity|span|leak|danger|warning|safe|secure)\b/i, text);
});

test("blanks are filled and unknown languages fall back to English", () => {
  assert.equal(languageOf("zh-CN"), "zh");
  assert.equal(languageOf("fr"), "en");
  assert.equal(translator("en")("stateMarksMany", { count: 3 }), "3 things on this page tell something about you.");
});
