import assert from "node:assert/strict";
import { test } from "node:test";
import { isInParts } from "../src/matchPattern";

const PARTS = ["https://github.com/copilot", "https://x.com/i/grok"];

for (const [url, isIn] of [
  ["https://github.com/copilot", true],
  ["https://github.com/copilot?thread=1", true],
  ["https://github.com/copilot#top", true],
  ["https://github.com/copilot/c/1", true],
  ["https://github.com/copilot-extensions/toolkit/issues", false],
  ["https://github.com/", false],
  ["https://x.com/i/grok", true],
  ["https://x.com/i/grokking", false],
  ["https://chatgpt.com/c/1", true],
  ["about:blank", true],
] as const) {
  test(`${url} is ${isIn ? "" : "not "}checked where only parts of two hosts are`, () => {
    assert.equal(isInParts(PARTS, url), isIn);
  });
}
