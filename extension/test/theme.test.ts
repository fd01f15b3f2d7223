import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { luminance } from "../src/page-core/theme";

const css = readFileSync(join(process.env.LIMEN_EXTENSION_ROOT!, "src/content/marks.css"), "utf8");
const channels = (hex: string): [number, number, number] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
const contrast = (a: string, b: string): number => {
  const [x, y] = [a, b].map((hex) => luminance(...channels(hex))).sort((p, q) => q - p) as [number, number];
  return (x + 0.05) / (y + 0.05);
};

test("every line stands out at 3:1 from light and dark page backgrounds", () => {
  const rules = [...css.matchAll(/::highlight\(lm-[a-d](-n)?\) \{ text-decoration: underline \w+ \dpx (#[0-9a-f]{6})/g)];
  assert.equal(rules.length, 8);
  for (const [, night, colour] of rules) {
    const backgrounds = night ? ["#000000", "#212121", "#303030", "#262624"] : ["#ffffff", "#f4f4f4", "#faf9f5"];
    for (const background of backgrounds) assert.ok(contrast(colour!, background) >= 3, `${colour} on ${background}`);
  }
});

test("no two looks differ by colour alone", () => {
  const styles = [...css.matchAll(/::highlight\(lm-[a-d]\) \{ text-decoration: underline (\w+)/g)].map((match) => match[1]);
  assert.equal(new Set(styles).size, 4);
});
