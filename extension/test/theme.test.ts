import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DEFAULT_STYLE, DRAWN, LINES } from "../src/page-core/markStyle";
import { highlightName } from "../src/page-core/painter";
import { luminance } from "../src/page-core/theme";

const css = readFileSync(join(process.env.LIMEN_EXTENSION_ROOT!, "src/content/marks.css"), "utf8");
const channels = (hex: string): [number, number, number] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
const contrast = (a: string, b: string): number => {
  const [x, y] = [a, b].map((hex) => luminance(...channels(hex))).sort((p, q) => q - p) as [number, number];
  return (x + 0.05) / (y + 0.05);
};

const rules = [
  ...css.matchAll(/::highlight\(lm-([a-d])(-n)?(-f)?(-h)?\) \{ text-decoration: underline (\w+) \dpx (#[0-9a-f]{6})/g),
];

test("every line stands out at 3:1 from light and dark page backgrounds", () => {
  assert.equal(rules.length, 32);
  for (const [, , night, , high, , colour] of rules) {
    const backgrounds = night ? ["#000000", "#212121", "#303030", "#262624"] : ["#ffffff", "#f4f4f4", "#faf9f5"];
    for (const background of backgrounds) assert.ok(contrast(colour!, background) >= (high ? 7 : 3), `${colour} on ${background}`);
  }
});

test("no two looks differ by colour alone", () => {
  for (const variant of ["", "-n", "-f", "-h", "-n-f-h"]) {
    const styles = rules.filter(([, , n = "", f = "", h = ""]) => n + f + h === variant).map(([, , , , , style]) => style);
    assert.equal(new Set(styles).size, 4, variant);
  }
});

test("every way of drawing a mark has its rule, and no line has no name", () => {
  const named = new Set(rules.map(([, look, night = "", faint = "", high = ""]) => `lm-${look}${night}${faint}${high}`));
  for (const look of DRAWN) {
    for (const line of LINES) {
      for (const theme of ["day", "night"] as const) {
        for (const isHighContrast of [false, true]) {
          const name = highlightName(look, theme, { ...DEFAULT_STYLE, lines: { ...DEFAULT_STYLE.lines, [look]: line }, isHighContrast });
          assert.equal(name === null, line === "none");
          if (name !== null) assert.ok(named.delete(name), name);
        }
      }
    }
  }
  assert.equal(named.size, 0, [...named].join());
});
