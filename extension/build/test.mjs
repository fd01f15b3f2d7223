// Unit tests: bundled by esbuild (Node 20 cannot read TypeScript), run by Node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const files = readdirSync(join(root, "test")).filter((name) => name.endsWith(".test.ts"));
const out = mkdtempSync(join(root, "node_modules", ".test-"));
try {
  await build({
    absWorkingDir: root,
    entryPoints: files.map((name) => join("test", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    // Modules that name the browser API can be loaded; calling it fails.
    banner: { js: "globalThis.chrome ??= {};" },
    loader: { ".css": "text" },
    logLevel: "warning",
    define: { DAEMON_ORIGIN: '"http://127.0.0.1:15463"', SHADOW_MODE: '"closed"', BROWSER: '"chromium"' },
  });
  const run = spawnSync(process.execPath, ["--test", ...readdirSync(out).map((name) => join(out, name))], {
    stdio: "inherit",
    env: { ...process.env, LIMEN_EXTENSION_ROOT: root },
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
