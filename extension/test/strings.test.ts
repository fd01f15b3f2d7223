import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CATEGORIES, isBoundary } from "../src/finding";
import { sayReason } from "../src/ui/card";
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

test("the reason for a mark is said in the user's language, whatever the daemon's sentence is", () => {
  const here = { kind: "kind_on_site", accepted: 7, total: 8 } as const;
  assert.equal(sayReason(here, translator("en")), "You kept this kind of thing 7 of 8 times on this site.");
  assert.match(sayReason(here, translator("zh")), /8 次里保留了 7 次/);
  assert.match(sayReason(here, translator("de")), /7 von 8 Mal/);
  assert.equal(sayReason({ kind: "kind", accepted: 1, total: 1 }, translator("en")), "You kept this kind of thing 1 of 1 time.");
  for (const rule of ["allow", "block"] as const) {
    for (const scope of ["value", "category", "site"] as const) assert.notEqual(sayReason({ kind: "rule", rule, scope }, translator("zh")), "");
  }
});

test("a reason of another form is not let in", () => {
  const boundary = { look: "soft", p_accept: 0.5, evidence: 3, why: null };
  assert.equal(isBoundary({ ...boundary, reason: null }), true);
  assert.equal(isBoundary({ ...boundary, reason: { kind: "category", accepted: 1, total: 2, rule: null, scope: null } }), true);
  for (const reason of ["x", {}, { kind: "kind" }, { kind: "rule", rule: "x", scope: "site" }]) assert.equal(isBoundary({ ...boundary, reason }), false);
});

test("the voice stays calm: no scolding, no jargon", () => {
  for (const text of Object.values(en)) assert.doesNotMatch(text, /\b(PII|entity|span|leak|danger|warning|safe|secure)\b/i, text);
});

test("blanks are filled and unknown languages fall back to English", () => {
  assert.equal(languageOf("zh-CN"), "zh");
  assert.equal(languageOf("fr"), "en");
  assert.equal(translator("en")("stateMarksMany", { count: 3 }), "3 things on this page tell something about you.");
});
