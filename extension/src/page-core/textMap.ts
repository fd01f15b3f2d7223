/**
 * The text of a contenteditable editor as one flat string, and the way back from offsets to DOM positions.
 *
 * Blocks are joined by one line break, a `<br>` is a line break unless it only keeps its block open, and an island
 * that cannot be edited (a mention chip) is one U+FFFC. The result equals the model text of the editors that are
 * tested in `tests/browser`. Offsets are UTF-16 units.
 */

export interface Segment {
  readonly node: Text;
  /** Offset in the flat text. */
  readonly start: number;
  /** Offset in the node's data. */
  readonly nodeStart: number;
  readonly length: number;
}

/** Text that some rule of this file might read in another way than as it stands. */
const isOdd = (data: string): boolean => data.includes(FILLER) || !/\S/.test(data);

export interface TextMap {
  readonly text: string;
  readonly segments: readonly Segment[];
}

const BLOCKS = new Set([
  "P", "DIV", "LI", "UL", "OL", "PRE", "H1", "H2", "H3", "H4", "H5", "H6", "BLOCKQUOTE", "TABLE", "TR", "TD", "TH",
  "SECTION", "ARTICLE", "FIGURE", "FIGCAPTION", "DL", "DT", "DD", "HR",
]);
const REPLACED = "img, svg, canvas, video, audio, object, input, button";
const ISLAND = "\ufffc";
/** Filler that editors put into empty lines and at the edges of inline nodes; never part of their model. */
const FILLER = "\ufeff";

function isBlock(element: Element): boolean {
  if (element.getAttribute("data-slate-node") === "element") return !element.hasAttribute("data-slate-inline");
  return BLOCKS.has(element.nodeName);
}

/** True for what a user never typed: placeholders, bullets drawn by the editor, cursor helpers. */
function isDecoration(element: Element): boolean {
  if (element.hasAttribute("data-slate-placeholder")) return true;
  const name = element.getAttribute("class") ?? "";
  return /\b(ql-ui|ql-cursor|cm-placeholder|cm-widgetBuffer|ProseMirror-separator|ProseMirror-widget)\b/.test(name);
}

/** True when nothing but the end of its block follows the `<br>`: then it only gives the line its height. */
function isTrailing(br: Node, host: Node): boolean {
  let node: Node = br;
  for (;;) {
    for (let next = node.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === Node.TEXT_NODE) {
        if ((next as Text).data.replaceAll(FILLER, "") !== "") return false;
      } else if (next.nodeType === Node.ELEMENT_NODE) {
        const element = next as Element;
        if (isBlock(element)) return true;
        if (!isDecoration(element) && (element.nodeName === "BR" || element.textContent !== "")) return false;
      }
    }
    const parent = node.parentNode;
    if (!parent || parent === host || isBlock(parent as Element)) return true;
    node = parent;
  }
}

export function buildTextMap(host: HTMLElement | ShadowRoot): TextMap {
  const segments: Segment[] = [];
  let text = "";
  let breakPending = false;
  let lineStarted = false;

  const startLine = (): void => {
    if (breakPending) {
      text += "\n";
      breakPending = false;
    }
    lineStarted = true;
  };
  const endLine = (): void => {
    if (lineStarted) breakPending = true;
    lineStarted = false;
  };
  const addText = (node: Text): void => {
    const data = node.data;
    if (data === "") return;
    let from = 0;
    while (from < data.length) {
      let to = data.indexOf(FILLER, from);
      if (to < 0) to = data.length;
      if (to > from) {
        startLine();
        segments.push({ node, start: text.length, nodeStart: from, length: to - from });
        text += data.slice(from, to);
      }
      from = to + 1;
    }
  };
  const visit = (parent: Node, inBlockList: boolean): void => {
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === Node.TEXT_NODE) {
        // Indentation between blocks in hand-written markup.
        if (inBlockList && (child as Text).data.trim() === "" && (child as Text).data.includes("\n")) continue;
        addText(child as Text);
      } else if (child.nodeType === Node.ELEMENT_NODE) {
        visitElement(child as HTMLElement);
      }
    }
  };
  const visitElement = (element: HTMLElement): void => {
    if (element.nodeName === "BR") {
      const trailing = isTrailing(element, host);
      startLine();
      if (!trailing) text += "\n";
      return;
    }
    const isBare = !element.hasAttributes();
    if (!isBare && isDecoration(element)) return;
    if (!isBare && element.getAttribute("contenteditable") === "false") {
      if (element.textContent === "" && !element.matches(REPLACED) && !element.querySelector(REPLACED)) return;
      startLine();
      text += ISLAND;
      return;
    }
    if (!isBlock(element)) {
      visit(element, false);
      return;
    }
    endLine();
    const length = text.length;
    const pending = breakPending;
    const hasBlocks = element.firstElementChild !== null && isBlock(element.firstElementChild);
    visit(element, hasBlocks);
    // A block with nothing in it is still a line.
    if (!hasBlocks && !lineStarted && text.length === length && breakPending === pending) startLine();
    endLine();
  };

  visit(host, host.firstElementChild !== null && isBlock(host.firstElementChild));
  return { text, segments };
}

/**
 * The map after changes of text nodes only, as typing makes them; null where that cannot be told from the nodes alone,
 * so that everything has to be read again. `map` itself is left as it is.
 */
export function patchTextMap(map: TextMap, records: readonly MutationRecord[]): TextMap | null {
  let patched: TextMap | null = null;
  const nodes = new Set(records.map((record) => (record.type === "characterData" ? record.target : null)));
  // More than one changed node is rare, and not worth the care.
  if (nodes.size !== 1) return null;
  for (const node of nodes) {
    // Most text is written at its end.
    const index = map.segments.findLastIndex((segment) => segment.node === node);
    const segment = map.segments[index];
    if (segment === undefined || segment.nodeStart !== 0) return null;
    const { data } = segment.node;
    const old = map.text.slice(segment.start, segment.start + segment.length);
    if (isOdd(data) || isOdd(old)) return null;
    const shift = data.length - segment.length;
    const segments = map.segments.slice();
    segments[index] = { ...segment, length: data.length };
    if (shift !== 0) {
      for (let next = index + 1; next < segments.length; next += 1) {
        const { node: other, start, nodeStart, length } = segments[next]!;
        segments[next] = { node: other, start: start + shift, nodeStart, length };
      }
    }
    patched = { text: map.text.slice(0, segment.start) + data + map.text.slice(segment.start + segment.length), segments };
  }
  return patched;
}

/** Index of the last segment that starts at or before `offset`. */
function segmentIndex(map: TextMap, offset: number): number {
  let low = 0;
  let high = map.segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (map.segments[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A DOM position for a flat offset; `leansLeft` prefers the end of the text before it. */
export function positionAt(map: TextMap, offset: number, leansLeft: boolean): { node: Text; offset: number } | null {
  let index = segmentIndex(map, offset);
  let segment = map.segments[index];
  if (segment === undefined) return null;
  const before = map.segments[index - 1];
  if (leansLeft && segment.start === offset && before && before.start + before.length === offset) {
    segment = before;
    index -= 1;
  }
  const within = Math.min(Math.max(offset - segment.start, 0), segment.length);
  return { node: segment.node, offset: segment.nodeStart + within };
}

/** A fresh Range over `[start, end)`; null when the text is not in the DOM. */
export function rangeFor(map: TextMap, start: number, end: number): Range | null {
  const from = positionAt(map, start, false);
  const to = positionAt(map, end, true);
  if (!from || !to) return null;
  const range = from.node.ownerDocument.createRange();
  try {
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset);
  } catch {
    return null;
  }
  return range;
}

/** The flat offset of a DOM position inside the editor; on an empty line, that of the next text. */
export function offsetAt(map: TextMap, node: Node, offset: number): number {
  if (node.nodeType === Node.TEXT_NODE) {
    let best: Segment | undefined;
    for (const segment of map.segments) {
      if (segment.node === node && segment.nodeStart <= offset) best = segment;
    }
    if (best) return best.start + Math.min(offset - best.nodeStart, best.length);
  }
  const point = node.ownerDocument!.createRange();
  point.setStart(node, offset);
  for (const segment of map.segments) {
    if (point.comparePoint(segment.node, segment.nodeStart) >= 0) return segment.start;
  }
  return map.text.length;
}
