import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettingsFrom } from "../src/background/settings";
import { GUARDS, type InstalledModel } from "../src/options/answers";
import { isRunning, languageNames } from "../src/options/modelFacts";
import { ago } from "../src/options/ago";
import { sayIn } from "../src/options/words";
import { DEFAULT_STYLE } from "../src/page-core/markStyle";
import { DEFAULT_SETTINGS, PACES } from "../src/protocol";

test("broken settings fall back one by one", () => {
  const read = readSettingsFrom({
    pace: "soon",
    markStyle: { lines: { strong: "faint", soft: "loud", secret: 3 }, scheme: "dark", isHighContrast: "yes" },
  });
  assert.equal(read.pace, "normal");
  assert.deepEqual(read.markStyle, { lines: { ...DEFAULT_STYLE.lines, strong: "faint" }, scheme: "dark", isHighContrast: false });
  for (const stored of [null, "x", { markStyle: null }, { markStyle: { lines: "none" } }]) assert.deepEqual(readSettingsFrom(stored), DEFAULT_SETTINGS);
});

test("every pace that can be stored has its pause", () => {
  for (const pace of Object.keys(PACES)) assert.equal(readSettingsFrom({ pace }).pace, pace);
});

const model = (name: string, format: InstalledModel["format"] = "onnx"): InstalledModel => ({
  name, version: "1", format, bytes: 5, languages: ["en"], licence: "x", origin: "added", is_usable: true,
});

test("the detector that runs is told apart from one whose name begins alike", () => {
  assert.ok(isRunning(model("small"), { id: "small-1", format: "onnx" }));
  assert.ok(!isRunning(model("small"), { id: "small-10", format: "onnx" }));
  assert.ok(!isRunning(model("small"), null));
  assert.ok(isRunning(model("patterns", "patterns"), { id: "limen-patterns-1", format: "patterns" }));
});

test("languages are named in the user's own, and a detector for any text has none", () => {
  assert.equal(languageNames("de", ["en", "zh"]), "Englisch, Chinesisch");
  assert.equal(languageNames("en", ["*"]), "");
  assert.equal(languageNames("en", ["not a language"]), "not a language");
});

test("the list of detectors and of browsers is let in only as the API tells it", () => {
  const list = { models: [model("a")], chosen: "a", is_fixed: false };
  assert.ok(GUARDS["/v1/models/list"](list));
  for (const bad of [{ ...model("a"), name: "a b; rm" }, { ...model("a"), bytes: -1 }, { ...model("a"), format: "exe" }]) {
    assert.equal(GUARDS["/v1/models/list"]({ ...list, models: [bad] }), false);
  }
  const browser = { id: "a1_-", label: "Firefox", paired_at: "2026-01-02T03:04:05Z", last_seen: null, this: true };
  assert.ok(GUARDS["/v1/pairings"]({ pairings: [browser] }));
  for (const bad of [{ ...browser, id: "$(x)" }, { ...browser, paired_at: "yesterday" }, { ...browser, last_seen: 3 }]) {
    assert.equal(GUARDS["/v1/pairings"]({ pairings: [bad] }), false);
  }
});

test("how long ago a browser was seen is said in its largest unit", () => {
  const view = { t: sayIn("en"), language: "en" } as const;
  assert.equal(ago(view, 1_000, 30_000), "just now");
  assert.equal(ago(view, 0, 5 * 60_000), "5 minutes ago");
  assert.equal(ago(view, 0, 3 * 3_600_000 + 1), "3 hours ago");
  assert.equal(ago(view, 0, 86_400_000), "yesterday");
  assert.equal(ago(view, 50_000, 0), "just now");
});
