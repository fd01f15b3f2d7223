// Bundles the test pages for tests/browser: each editor library is a chunk that only its page loads.
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
// Built aside and put in place at the end: tests that are running go on reading the pages they had.
const out = mkdtempSync(join(root, "node_modules", ".dist-"));
await build({
  absWorkingDir: root,
  entryPoints: { page: "src/page.js" },
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  minify: true,
  target: "es2022",
  jsx: "automatic",
  loader: { ".js": "jsx" },
  logLevel: "error",
  // Draft.js expects Node's global; React picks its build by NODE_ENV.
  define: { global: "window", "process.env.NODE_ENV": '"production"' },
});
for (const name of ["index.html", "page.css"]) cpSync(join(root, "src", name), join(out, name));
// Parts of the extension that are compared with the editors and the browser themselves.
for (const [name, globalName] of [["textMap", "limenTextMap"], ["mirror", "limenMirror"]]) {
  await build({
    absWorkingDir: root,
    entryPoints: { [name]: `../src/page-core/${name}.ts` },
    outdir: out,
    bundle: true,
    format: "iife",
    globalName,
    logLevel: "error",
  });
}
cpSync(join(root, "node_modules/axe-core/axe.min.js"), join(out, "axe.min.js"));

const old = `${out}-old`;
try {
  renameSync(dist, old);
} catch (error) {
  if (error.code !== "ENOENT") throw error;
}
renameSync(out, dist);
rmSync(old, { recursive: true, force: true });
