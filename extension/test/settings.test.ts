import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isSiteOff } from "../src/matchPattern";
import { GUARDS, type Summary } from "../src/options/answers";
import { linksOf } from "../src/options/selfTest";
import { boundarySentence } from "../src/options/sentence";
import { sayIn, SETTINGS_TABLES } from "../src/options/words";
import { RETOLD } from "../src/options/words/situations";
import { isOwnRequest, isPageRequest } from "../src/protocol";
import { TABLES } from "../src/ui/strings";

const t = sayIn("en");
const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map((match) => match[0]).sort();

test("the settings page says everything in every language, with the same blanks, in the same voice", () => {
  const { en, de, zh } = SETTINGS_TABLES;
  for (const table of [de, zh]) {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(en).sort());
    for (const [key, text] of Object.entries(table)) assert.deepEqual(holes(text), holes(en[key as keyof typeof en]), key);
  }
  for (const text of Object.values(en)) assert.doesNotMatch(text, /\b(PII|entity|span|leak|danger|warning|safe|secure)\b/i, text);
  for (const key of Object.keys(en)) assert.ok(!(key in TABLES.en), `${key} is in both tables`);
});

test("every situation and wording of the calibration is told in every language", () => {
  const file = join(process.env.LIMEN_EXTENSION_ROOT!, "../profiles/limen_profiles/data/situations.json");
  const situations = JSON.parse(readFileSync(file, "utf8")) as Array<{ id: string; wordings: Array<{ id: string }> }>;
  for (const [language, table] of Object.entries(RETOLD)) {
    assert.deepEqual(Object.keys(table).sort(), situations.map(({ id }) => id).sort(), language);
    for (const { id, wordings } of situations) assert.deepEqual(Object.keys(table[id]!.wordings).sort(), wordings.map((one) => one.id).sort(), `${language} ${id}`);
  }
});

const item = {
  id: 1, at: 5, decision: "kept", phrase: "a nurse", information: null, category: "occupation", subject: "user",
  granularity: 1, identifiability: 1, site: "claude.ai", p_accept: 0.5,
};

test("an answer of another form than expected is not let in", () => {
  const guard = GUARDS["/v1/decisions/list"];
  assert.ok(guard({ items: [item], total: 1 }));
  for (const bad of [null, {}, { items: [item] }, { items: [{ ...item, granularity: 4 }], total: 1 }, { items: [{ ...item, decision: "x" }], total: 1 }, { items: "x", total: 1 }]) {
    assert.equal(guard(bad), false, JSON.stringify(bad));
  }
  assert.equal(GUARDS["/v1/profile/status"]({ mode: "fine", paused_until: null, holder: null, problem: null }), false);
});

const summary = (parts: Partial<Summary>): Summary => ({ total: 0, accepted: 0, by_cell: [], by_category: [], by_site: [], by_month: [], ...parts });

test("the sentence says no more than the numbers do", () => {
  assert.match(boundarySentence(t, "en", summary({})), /no choices yet/);
  assert.match(boundarySentence(t, "en", summary({ total: 2, accepted: 2 })), /so far: 2/);
  const kinds = [{ name: "occupation", accepted: 7, total: 8 }, { name: "health", accepted: 1, total: 9 }, { name: "name", accepted: 0, total: 2 }];
  assert.equal(boundarySentence(t, "en", summary({ total: 19, accepted: 8, by_category: kinds })), "You usually keep work, and rarely health.");
  assert.match(boundarySentence(t, "en", summary({ total: 10, accepted: 5, by_category: [{ name: "age", accepted: 5, total: 10 }] })), /about 50%/);
});

test("the self-test names the first broken link", () => {
  const broken = (outcome: Parameters<typeof linksOf>[1]): string | undefined =>
    linksOf(t, outcome, 1, "0.1.0", "127.0.0.1:15463").find(({ state }) => state === "broken")?.name;
  assert.equal(broken({ ok: false, code: "daemon_down" }), "linkPort");
  assert.equal(broken({ ok: false, code: "daemon_down", error: "impostor" }), "linkIdentity");
  assert.equal(broken({ ok: false, code: "not_paired", error: "no_credential" }), "linkPairing");
  assert.equal(broken({ ok: false, code: "not_paired", error: "auth" }), "linkPairing");
  assert.equal(broken({ ok: false, code: "busy", error: "rate" }), "linkTrip");
  const status = { version: "0.2.0", detector: null, checked_by: "none", profile: "off", paused_until: null } as const;
  assert.equal(broken({ ok: true, status }), undefined);
  assert.equal(linksOf(t, { ok: true, status }, 1, "0.1.0", "x").find(({ state }) => state === "odd")?.name, "linkVersion");
});

test("a host with a star stands for all below it", () => {
  assert.ok(isSiteOff(["*.tongyi.com"], "chat.tongyi.com") && isSiteOff(["claude.ai"], "claude.ai"));
  assert.ok(!isSiteOff(["*.tongyi.com", "claude.ai"], "nottongyi.com"));
});

test("sites are added and removed by our own pages only", () => {
  for (const kind of ["ReadSites", "AddSite", "RemoveSite"]) {
    assert.ok(isOwnRequest({ kind, origin: "https://a.test" }));
    assert.ok(!isPageRequest({ kind, origin: "https://a.test" }));
  }
});
