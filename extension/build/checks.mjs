// Rules of the source that the type checker does not know.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const files = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

const RULES = [
  { name: "page-core and ui do not name the browser's API", only: /^src\/(page-core|ui)\//, forbidden: /\b(chrome|browser)\.(runtime|storage|tabs|scripting|i18n|dom|action)\b|from "\.\.\/browser"/ },
  { name: "only browser.ts reaches for the API object", except: /^src\/browser\.ts$/, forbidden: /\bglobalThis\.(chrome|browser)\b/ },
  { name: "only the background uses the network", except: /^src\/background\//, forbidden: /\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/ },
  { name: "text is never parsed as markup", forbidden: /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/ },
  { name: "nothing typed is logged", forbidden: /console\.(log|debug|info|warn|error)/ },
];

let failures = 0;
for (const path of files(join(root, "src")).filter((name) => name.endsWith(".ts"))) {
  const name = relative(root, path);
  const text = readFileSync(path, "utf8");
  for (const rule of RULES) {
    if ((rule.only && !rule.only.test(name)) || rule.except?.test(name)) continue;
    text.split("\n").forEach((line, index) => {
      if (!/^\s*(\*|\/\/|\/\*)/.test(line) && rule.forbidden.test(line)) {
        console.error(`${name}:${index + 1}: ${rule.name}: ${line.trim()}`);
        failures += 1;
      }
    });
  }
  const lines = text.split("\n").length;
  if (lines > 400) {
    console.error(`${name}: ${lines} lines; split it`);
    failures += 1;
  }
}
process.exitCode = failures > 0 ? 1 : 0;
