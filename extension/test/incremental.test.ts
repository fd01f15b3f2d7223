/** What is worked out from one edit must be what is worked out from the whole text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resplitParagraphs, splitParagraphs } from "../src/page-core/paragraphs";
import { singleEdit } from "../src/page-core/remap";
import { patchTextMap, type TextMap } from "../src/page-core/textMap";

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const PIECES = ["a", " ", "\n", "\n\n", "word ", "Ein Satz. ", "句子。", "🙂", "x".repeat(700), "y. ".repeat(400), ""];

test("after any edit the paragraphs are those of the whole text", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const next = numbers(seed);
    const piece = (): string => PIECES[next(PIECES.length)]!;
    let text = Array.from({ length: 12 }, piece).join("");
    let paragraphs = splitParagraphs(text);
    for (let step = 0; step < 60; step += 1) {
      const start = next(text.length + 1);
      const end = Math.min(text.length, start + [0, 0, 1, 5, 300, 4000][next(6)]!);
      const after = text.slice(0, start) + (next(3) === 0 ? "" : piece()) + text.slice(end);
      const edit = singleEdit(text, after);
      if (!edit) continue;
      paragraphs = resplitParagraphs(paragraphs, edit, after);
      assert.deepEqual(paragraphs, splitParagraphs(after), `seed ${seed}, step ${step}`);
      text = after;
    }
  }
});

test("the single edit turns the one text into the other, and no smaller one does", () => {
  const next = numbers(7);
  for (let run = 0; run < 500; run += 1) {
    const make = (): string => Array.from({ length: next(12) }, () => "ab\n"[next(3)]).join("");
    const [before, after] = [make(), make()];
    const edit = singleEdit(before, after);
    if (!edit) {
      assert.equal(before, after);
      continue;
    }
    const { start, oldEnd, newEnd } = edit;
    assert.equal(before.slice(0, start) + after.slice(start, newEnd) + before.slice(oldEnd), after);
    assert.ok(start === oldEnd || start === newEnd || before[start] !== after[start]);
    assert.ok(start === oldEnd || start === newEnd || before[oldEnd - 1] !== after[newEnd - 1]);
  }
});

interface BareText {
  data: string;
}
const asRecords = (...nodes: BareText[]): MutationRecord[] => nodes.map((target) => ({ type: "characterData", target }) as unknown as MutationRecord);

/** A map of lines, each a text node of its own. */
function mapOf(...nodes: BareText[]): TextMap {
  let text = "";
  const segments = nodes.map((node) => {
    if (text !== "") text += "\n";
    const segment = { node: node as Text, start: text.length, nodeStart: 0, length: node.data.length };
    text += node.data;
    return segment;
  });
  return { text, segments };
}

test("a key in one text node moves what comes after it and leaves the old map as it was", () => {
  const nodes = [{ data: "one" }, { data: "two" }, { data: "three" }];
  const map = mapOf(...nodes);
  const before = structuredClone(map);
  nodes[1]!.data = "two more";
  const patched = patchTextMap(map, asRecords(nodes[1]!, nodes[1]!));
  assert.deepEqual(patched, mapOf(...nodes));
  assert.deepEqual(map.text, before.text);
  assert.deepEqual(map.segments.map(({ start }) => start), before.segments.map(({ start }) => start));
});

test("whatever may change what counts as text is read again as a whole", () => {
  const nodes = [{ data: "one" }, { data: "two" }];
  const map = mapOf(...nodes);
  const other = { data: "new" };
  assert.equal(patchTextMap(map, asRecords(other)), null);
  assert.equal(patchTextMap(map, asRecords(nodes[0]!, nodes[1]!)), null);
  assert.equal(patchTextMap(map, []), null);
  assert.equal(patchTextMap(map, [...asRecords(nodes[0]!), { type: "childList", target: nodes[0] } as unknown as MutationRecord]), null);
  for (const data of ["", " ", "\n ", "o\ufeffne"]) {
    nodes[0]!.data = data;
    assert.equal(patchTextMap(map, asRecords(nodes[0]!)), null, JSON.stringify(data));
  }
});
