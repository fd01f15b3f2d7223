// Builds dist/chromium and dist/firefox. A test build may move the daemon's port or add match patterns:
//   node build/build.mjs [--out dist] [--port 15463] [--match 'http://127.0.0.1/*'] [--open-shadow] [--store]
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, transformSync } from "esbuild";
import { manifestFor } from "./manifest.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    out: { type: "string", default: "dist" },
    port: { type: "string", default: "15463" },
    match: { type: "string", multiple: true, default: [] },
    "open-shadow": { type: "boolean", default: false },
    store: { type: "boolean", default: false },
  },
});
const out = resolve(root, values.out);

const scripts = {
  "content/content": "src/content/index.ts",
  "background/background": "src/background/index.ts",
  "options/options": "src/options/options.ts",
  "popup/popup": "src/popup/popup.ts",
  "tryit/tryit": "src/tryit/tryit.ts",
};

/** Styles that a script puts into its own shadow root are text to the bundler, which leaves text as long as it is. */
const shortStyles = (target) => ({
  name: "short-styles",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, ({ path }) => ({
      contents: transformSync(readFileSync(path, "utf8"), { loader: "css", minify: true, charset: "utf8", target }).code,
      loader: "text",
    })),
});

for (const browser of ["chromium", "firefox"]) {
  const folder = join(out, browser);
  const target = browser === "chromium" ? "chrome140" : "firefox153";
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: scripts,
    outdir: folder,
    bundle: true,
    format: "iife",
    target,
    minify: true,
    charset: "utf8",
    plugins: [shortStyles(target)],
    logLevel: "warning",
    define: {
      DAEMON_ORIGIN: JSON.stringify(`http://127.0.0.1:${Number(values.port)}`),
      SHADOW_MODE: JSON.stringify(values["open-shadow"] ? "open" : "closed"),
      BROWSER: JSON.stringify(browser),
    },
  });
  // The own pages' markup and styles lie beside their scripts.
  const pages = ["options", "popup", "tryit"].flatMap((page) =>
    readdirSync(join(root, "src", page))
      .filter((name) => /\.(html|css)$/.test(name))
      .map((name) => [`src/${page}/${name}`, `${page}/${name}`]),
  );
  for (const [from, to] of [
    ...pages,
    ["src/content/marks.css", "content/marks.css"],
    ["icons", "icons"],
    ["_locales", "_locales"],
  ]) {
    cpSync(join(root, from), join(folder, to), {
      recursive: true,
      filter: (name) => !name.endsWith(".svg"),
    });
  }
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifestFor(browser, values.match, values.store), null, 2) + "\n");
  const bytes = statSync(join(folder, "content/content.js")).size;
  console.log(`${browser}: ${folder} (content script ${(bytes / 1000).toFixed(1)} kB)`);
}
