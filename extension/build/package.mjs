// Makes one archive for each store, with the texts that go into the store's form beside it:
//   node build/package.mjs [--out ../artifacts/store]
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { zipSync } from "fflate";
import { faultsOf, faultsOfTexts } from "./packageFaults.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { out: { type: "string", default: "../artifacts/store" } } });
const out = resolve(root, values.out);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Files of a folder by their path in it, in order, so that the same sources make the same archive. */
function read(folder) {
  const names = readdirSync(folder, { recursive: true }).map(String).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name))]));
}

const built = mkdtempSync(join(root, "node_modules", ".package-"));
try {
  const run = spawnSync(process.execPath, [join(root, "build/build.mjs"), "--out", built, "--store"], { stdio: ["ignore", "ignore", "inherit"] });
  if (run.status !== 0) process.exit(run.status ?? 1);
  mkdirSync(out, { recursive: true });
  const faults = [];
  for (const browser of ["chromium", "firefox"]) {
    const files = read(join(built, browser));
    faults.push(...faultsOf(browser, files).map((fault) => `${browser}: ${fault}`));
    // One moment for every file: 1980 is the first that the format knows.
    const archive = zipSync(files, { level: 9, mtime: new Date(1980, 0, 1, 12) });
    const name = join(out, `limen-${browser}-${version}.zip`);
    writeFileSync(name, archive);
    console.log(`${relative(process.cwd(), name)}: ${Object.keys(files).length} files, ${(archive.length / 1000).toFixed(0)} kB`);
  }
  const texts = Object.fromEntries(["en", "zh", "de"].map((language) => [language, JSON.parse(readFileSync(join(root, "store/texts", `${language}.json`), "utf8"))]));
  faults.push(...faultsOfTexts(texts, JSON.parse(readFileSync(join(built, "chromium/manifest.json"), "utf8"))));
  cpSync(join(root, "store/texts"), join(out, "texts"), { recursive: true });
  cpSync(join(root, "icons/on-128.png"), join(out, "icon-128.png"));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  rmSync(built, { recursive: true, force: true });
}
