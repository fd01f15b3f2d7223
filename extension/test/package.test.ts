/** What goes to the stores, as it is in the archives. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";

const root = process.env.LIMEN_EXTENSION_ROOT!;
const { faultsOf, faultsOfTexts } = await import(pathToFileURL(join(root, "build/packageFaults.mjs")).href);
type Files = Record<string, Uint8Array>;

let out = "";
const archives = new Map<string, Files>();

before(() => {
  out = mkdtempSync(join(tmpdir(), "limen-package-"));
  const run = spawnSync(process.execPath, [join(root, "build/package.mjs"), "--out", out], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  for (const name of readdirSync(out).filter((one) => one.endsWith(".zip"))) {
    archives.set(name.split("-")[1]!, unzipSync(readFileSync(join(out, name))));
  }
});
after(() => rmSync(out, { recursive: true, force: true }));

test("there is one archive for each store, with its manifest at the top", () => {
  assert.deepEqual([...archives.keys()].sort(), ["chromium", "firefox"]);
  for (const [browser, files] of archives) {
    assert.deepEqual(faultsOf(browser, files), []);
    assert.ok("manifest.json" in files && "_locales/zh_CN/messages.json" in files);
  }
});

test("each store gets the manifest it wants", () => {
  const manifestOf = (browser: string) => JSON.parse(new TextDecoder().decode(archives.get(browser)!["manifest.json"]));
  assert.equal(manifestOf("chromium").key, undefined);
  assert.ok(manifestOf("chromium").background.service_worker);
  assert.deepEqual(manifestOf("firefox").browser_specific_settings.gecko.data_collection_permissions, { required: ["none"] });
});

const changed = (name: string, text: string): Files => ({ ...archives.get("chromium")!, [name]: new TextEncoder().encode(text) });

test("a source map, a remote address, a test page or a script in a page would be found", () => {
  const faults = (name: string, text: string): number => faultsOf("chromium", changed(name, text)).length;
  assert.ok(faults("content/content.js.map", "{}"));
  assert.ok(faults("popup/popup.js", "a();\n//# sourceMappingURL=popup.js.map"));
  assert.ok(faults("popup/popup.js", 'fetch("https://evil.test/x")'));
  assert.ok(faults("popup/popup.js", 'new WebSocket("wss://127.0.0.1:1")'));
  assert.ok(faults("popup/popup.html", '<script src="https://cdn.test/x.js"></script>'));
  assert.ok(faults("popup/popup.html", "<script>1</script>"));
  assert.ok(faults("test-pages/index.html", "<p>"));
  assert.ok(faults("notes.txt", "x"));
  assert.equal(faults("popup/popup.js", 'x("http://127.0.0.1:15463")'), 0);
});

test("a manifest that names a missing file, or an icon of another size, would be found", () => {
  const { ["icons/on-48.png"]: icon, ...rest } = archives.get("firefox")!;
  assert.ok(faultsOf("firefox", rest).some((fault: string) => fault.includes("icons/on-48.png")));
  assert.ok(faultsOf("firefox", { ...rest, "icons/on-48.png": rest["icons/on-16.png"]! }).some((fault: string) => fault.includes("16 px")));
  assert.ok(icon);
});

const texts = Object.fromEntries(["en", "zh", "de"].map((language) => [language, JSON.parse(readFileSync(join(root, "store/texts", `${language}.json`), "utf8"))]));
const { manifestFor } = await import(pathToFileURL(join(root, "build/manifest.mjs")).href);

test("the stores' texts give a reason for every permission, in three languages, short enough", () => {
  const manifest = manifestFor("chromium", [], true);
  assert.deepEqual(faultsOfTexts(texts, manifest), []);
  assert.equal(faultsOfTexts(texts, { ...manifest, permissions: [...manifest.permissions, "tabs"] }).length, 3);
  assert.equal(faultsOfTexts({ en: { ...texts.en, summary: "x".repeat(133) } }, manifest).length, 1);
  for (const { description, summary } of Object.values(texts)) assert.doesNotMatch(`${description} ${summary}`, /\b(PII|safe|secure|protects?)\b/i);
});
