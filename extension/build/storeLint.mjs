// The store's own checker over the Firefox build. It is large, so it has a folder of its own and is fetched when needed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const store = join(root, "store");
const run = (command, args, cwd) => spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" }).status ?? 1;

if (!existsSync(join(store, "node_modules/web-ext"))) {
  if (run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"], store) !== 0) {
    console.error("The store's checker (web-ext) could not be fetched. Without it: npm run lint:source");
    process.exit(1);
  }
}
const built = mkdtempSync(join(root, "node_modules", ".lint-"));
try {
  const build = spawnSync(process.execPath, [join(root, "build/build.mjs"), "--out", built, "--store"], { stdio: ["ignore", "ignore", "inherit"] });
  process.exitCode =
    build.status ||
    run(process.execPath, [join(store, "node_modules/web-ext/bin/web-ext.js"), "lint", "--source-dir", join(built, "firefox"), "--warnings-as-errors", "--no-config-discovery"], store);
} finally {
  rmSync(built, { recursive: true, force: true });
}
