/** A contenteditable editor of any kind: flat text from its DOM, marks as Ranges in the highlight registry. */
import type { EditorKind } from "./editor";
import type { Caret, Field } from "./field";
import type { Mark } from "./mark";
import type { Painter, Theme } from "./painter";
import { buildTextMap, offsetAt, patchTextMap, positionAt, rangeFor, type TextMap } from "./textMap";
import { themeOf } from "./theme";

export class RichField implements Field {
  readonly host: HTMLElement;
  readonly kind: EditorKind;
  readonly #painter: Painter;
  #theme: Theme = "day";
  #map: TextMap;
  /** The ranges that are drawn, by their mark. */
  #drawn = new Map<number, Range>();

  constructor(host: HTMLElement, kind: EditorKind, painter: Painter) {
    this.host = host;
    this.kind = kind;
    this.#painter = painter;
    this.#map = buildTextMap(host);
  }

  read(): string {
    this.#map = buildTextMap(this.host);
    return this.#map.text;
  }

  readAfter(records: readonly MutationRecord[]): string {
    this.#map = patchTextMap(this.#map, records) ?? buildTextMap(this.host);
    return this.#map.text;
  }

  lookAround(): void {
    this.#theme = themeOf(this.host);
  }

  paint(marks: readonly Mark[]): void {
    const drawn = new Map<number, Range>();
    const ranges: Array<readonly [Exclude<Mark["look"], "quiet">, Range]> = [];
    for (const mark of marks) {
      if (mark.look === "quiet") continue;
      const range = this.#rangeOf(mark);
      if (!range) continue;
      drawn.set(mark.id, range);
      ranges.push([mark.look, range]);
    }
    this.#drawn = drawn;
    if (ranges.length === 0) this.#painter.clear(this);
    else this.#painter.paint(this, this.#theme, ranges);
  }

  /** Live ranges are never trusted, since editors rewrite the nodes under them; one that is right is used again. */
  #rangeOf(mark: Mark): Range | null {
    const known = this.#drawn.get(mark.id);
    if (known) {
      const from = positionAt(this.#map, mark.start, false);
      const to = positionAt(this.#map, mark.end, true);
      const isRight =
        from?.node === known.startContainer && from.offset === known.startOffset &&
        to?.node === known.endContainer && to.offset === known.endOffset;
      if (isRight) return known;
    }
    return rangeFor(this.#map, mark.start, mark.end);
  }

  rects(start: number, end: number): DOMRect[] {
    const range = rangeFor(this.#map, start, end);
    return range ? [...range.getClientRects()] : [];
  }

  caret(): Caret | null {
    const selection = this.#selection();
    if (!selection?.anchorNode || !selection.focusNode) return null;
    if (!this.host.contains(selection.anchorNode) || !this.host.contains(selection.focusNode)) return null;
    const anchor = offsetAt(this.#map, selection.anchorNode, selection.anchorOffset);
    const focus = offsetAt(this.#map, selection.focusNode, selection.focusOffset);
    return { anchor, focus, direction: "none" };
  }

  select(anchor: number, focus: number): boolean {
    const from = rangeFor(this.#map, Math.min(anchor, focus), Math.max(anchor, focus));
    const selection = this.#selection();
    if (!from || !selection) return false;
    this.host.focus({ preventScroll: true });
    if (anchor <= focus) {
      selection.setBaseAndExtent(from.startContainer, from.startOffset, from.endContainer, from.endOffset);
    } else {
      selection.setBaseAndExtent(from.endContainer, from.endOffset, from.startContainer, from.startOffset);
    }
    return true;
  }

  reveal(start: number, end: number): void {
    const range = rangeFor(this.#map, start, end);
    range?.startContainer.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  dispose(): void {
    this.#drawn.clear();
    this.#painter.clear(this);
  }

  #selection(): Selection | null {
    const root = this.host.getRootNode();
    if (root instanceof ShadowRoot && root.getSelection) return root.getSelection();
    return this.host.ownerDocument.getSelection();
  }
}
