import assert from "node:assert/strict";
import { test } from "node:test";
import { readAnswer } from "../src/background/detect";
import { codeFor } from "../src/background/daemon";
import { classify, siteOf } from "../src/background/sender";
import { readSettingsFrom } from "../src/background/settings";
import { isOwnRequest, isPageRequest, DEFAULT_SETTINGS } from "../src/protocol";
import { makeFinding } from "./makeFinding";

const ID = "nelfjnfdnekdpbmigecgomjlbhfbblnj";
const OWN = `chrome-extension://${ID}`;

test("what only our own pages may ask is no page request", () => {
  for (const kind of ["Connect", "Disconnect", "CallDaemon", "WriteSettings", "ReadTab", "AddSite"]) {
    assert.equal(isPageRequest({ kind, token: "x", path: "/v1/status", body: {}, settings: {}, tabId: 1, origin: "x" }), false);
  }
});

test("a clause with its offsets goes out, nothing else in its place", () => {
  const clause = { text: "my wife Ann", start: 8, end: 11 };
  assert.equal(isPageRequest({ kind: "Wordings", clause, finding: makeFinding() }), true);
  assert.equal(isPageRequest({ kind: "StandIns", clause, category: "name", known: [] }), true);
  for (const bad of [null, { text: 1, start: 0, end: 1 }, { text: "x", start: "0", end: 1 }]) {
    assert.equal(isPageRequest({ kind: "Wordings", clause: bad, finding: makeFinding() }), false);
    assert.equal(isPageRequest({ kind: "StandIns", clause: bad, category: "name", known: [] }), false);
  }
  assert.equal(isPageRequest({ kind: "StandIns", clause, category: "nonsense", known: [] }), false);
  assert.equal(isPageRequest({ kind: "StandIns", clause, category: "name", known: [{ placeholder: 1 }] }), false);
});

test("the style of placeholders is one of the two", () => {
  assert.equal(readSettingsFrom({ placeholderStyle: "standins" }).placeholderStyle, "standins");
  for (const given of [{}, { placeholderStyle: "x" }, { placeholderStyle: 1 }]) {
    assert.equal(readSettingsFrom(given).placeholderStyle, "tags");
  }
});

test("malformed requests are let in nowhere", () => {
  for (const value of [null, 1, "Detect", {}, { kind: "Detect" }, { kind: "Detect", text: 1 }, { kind: "Nonsense" }]) {
    assert.equal(isPageRequest(value), false);
    assert.equal(isOwnRequest(value), false);
  }
});

test("the daemon can be called on its own paths only", () => {
  assert.equal(isOwnRequest({ kind: "CallDaemon", path: "/v1/decisions/list", body: {} }), true);
  for (const path of ["/v1/decisions/../x", "http://evil.test/", "//evil.test/v1/decisions", "/v2/decisions", "/v1/decisions?x"]) {
    assert.equal(isOwnRequest({ kind: "CallDaemon", path, body: {} }), false, path);
  }
});

test("a page cannot pass for one of our own pages", () => {
  const tab = { id: 7, url: "https://chatgpt.com/c/1" };
  assert.deepEqual(classify({ id: ID, url: tab.url, origin: "https://chatgpt.com", frameId: 0, tab }, ID, OWN), {
    kind: "page", tabId: 7, frameId: 0, site: "chatgpt.com", origin: "https://chatgpt.com",
  });
  assert.equal(classify({ id: ID, url: `${OWN}/options/options.html`, tab: { id: 8 } }, ID, OWN).kind, "own");
  assert.equal(classify({ id: ID, url: `${OWN}.evil.test/`, tab: { id: 8 } }, ID, OWN).kind, "page");
  assert.equal(classify({ id: "other", url: `${OWN}/popup/popup.html` }, ID, OWN).kind, "foreign");
});

test("a site is a host without www", () => {
  assert.equal(siteOf("https://www.kimi.com/chat/1"), "kimi.com");
  assert.equal(siteOf("about:blank"), "");
});

test("an answer is let in only when every phrase stands where it says", () => {
  const text = "I am a nurse";
  const good = makeFinding({ start: 5, phrase: "a nurse" });
  const answer = (findings: unknown, checked_by = "model") => ({ findings, checked_by, profile: "off" });
  const accepted = readAnswer(text, text, answer([good]));
  assert.ok(accepted.ok && accepted.answer.findings.length === 1);
  for (const bad of [{ ...good, start: 4 }, { ...good, category: "weather" }, { ...good, boundary: null }, "x"]) {
    assert.deepEqual(readAnswer(text, text, answer([bad])), { ok: false, code: "failed" });
  }
});

test("an answer without a detector is not checked, even when it lists nothing", () => {
  for (const checked_by of ["none", undefined, "magic"]) {
    assert.deepEqual(readAnswer("x", "x", { findings: [], checked_by, profile: "off" }), { ok: false, code: "detector_failed" });
  }
  assert.equal(readAnswer("x", "x", null).ok, false);
});

test("no-break spaces come back as they stand in the editor", () => {
  const typed = "I am a\u00a0nurse";
  const outcome = readAnswer(typed, "I am a nurse", {
    findings: [makeFinding({ start: 5, phrase: "a nurse" })], checked_by: "patterns", profile: "locked",
  });
  assert.ok(outcome.ok);
  assert.equal(outcome.answer.findings[0]?.phrase, "a\u00a0nurse");
  assert.equal(outcome.answer.profile, "locked");
});

test("every refusal of the daemon has a meaning", () => {
  assert.equal(codeFor(401, "auth"), "not_paired");
  assert.equal(codeFor(403, undefined), "not_paired");
  assert.equal(codeFor(503, "busy"), "busy");
  assert.equal(codeFor(429, "rate"), "busy");
  assert.equal(codeFor(503, "detector_off"), "detector_failed");
  assert.equal(codeFor(504, "detector_timeout"), "timed_out");
  assert.equal(codeFor(413, "size"), "too_long");
  assert.equal(codeFor(422, "schema"), "refused");
});

test("broken settings fall back one by one", () => {
  assert.deepEqual(readSettingsFrom(null), DEFAULT_SETTINGS);
  assert.deepEqual(readSettingsFrom({ language: "xx", gate: "strict", sitesOff: ["a.test", 3] }), {
    ...DEFAULT_SETTINGS, gate: "strict", sitesOff: ["a.test"],
  });
});
