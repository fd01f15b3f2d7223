import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { matchesPattern } from "../src/matchPattern";

const { manifestFor } = await import(pathToFileURL(join(process.env.LIMEN_EXTENSION_ROOT!, "build/manifest.mjs")).href);

test("no more permissions than these", () => {
  for (const browser of ["chromium", "firefox"]) {
    const manifest = manifestFor(browser);
    assert.deepEqual(manifest.permissions, ["storage", "scripting", "activeTab"]);
    assert.deepEqual(manifest.host_permissions, ["http://127.0.0.1/*"]);
    assert.equal("externally_connectable" in manifest, false);
    assert.equal("web_accessible_resources" in manifest, false);
  }
});

test("our own pages load scripts from the package only and talk to this computer only", () => {
  const policy: string = manifestFor("chromium").content_security_policy.extension_pages;
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /connect-src http:\/\/127\.0\.0\.1:\*;/);
});

test("frames without an address are matched by whole hosts only, as Chromium demands", () => {
  for (const script of manifestFor("chromium").content_scripts) {
    for (const pattern of script.matches) {
      if (script.match_origin_as_fallback) assert.match(pattern, /\/\*$/);
    }
    assert.equal(script.run_at, "document_start");
    assert.equal(script.all_frames, true);
  }
});

test("match patterns match as in the manifest", () => {
  assert.ok(matchesPattern("https://chatgpt.com/*", "https://chatgpt.com/c/1?x=2"));
  assert.ok(matchesPattern("https://*.cloud.microsoft/*", "https://m365.cloud.microsoft/chat"));
  assert.ok(matchesPattern("https://github.com/copilot*", "https://github.com/copilot/c/1"));
  assert.ok(!matchesPattern("https://github.com/copilot*", "https://github.com/other"));
  assert.ok(!matchesPattern("https://chatgpt.com/*", "https://chatgpt.com.evil.test/"));
  assert.ok(!matchesPattern("https://chatgpt.com/*", "http://chatgpt.com/"));
  assert.ok(!matchesPattern("https://chatgpt.com/*", "not an address"));
});
