/**
 * A textarea or input. Where the browser has live ranges inside a control's value (`createValueRange`), marks are
 * drawn by the highlight registry as in any other text; elsewhere as boxes over the field (`boxes.ts`).
 */
import type { Boxes } from "./boxes";
import type { EditorKind, FormHost } from "./editor";
import type { Caret, Field } from "./field";
import type { Mark } from "./mark";
import { Mirror } from "./mirror";
import type { Painter, Theme } from "./painter";
import { themeOf } from "./theme";

export class FormField implements Field {
  readonly host: FormHost;
  readonly kind: EditorKind;
  readonly #painter: Painter;
  #theme: Theme = "day";
  readonly #boxes: Boxes;
  /** The ranges that are drawn, by their mark. */
  #drawn = new Map<number, OpaqueRange>();
  #isBoxed: boolean;

  constructor(host: FormHost, kind: EditorKind, painter: Painter, boxes: Boxes) {
    this.host = host;
    this.kind = kind;
    this.#painter = painter;
    this.#boxes = boxes;
    this.#isBoxed = typeof host.createValueRange !== "function" || boxes.isPreferred;
  }

  read(): string {
    return this.host.value;
  }

  readAfter(): string {
    return this.read();
  }

  lookAround(): void {
    this.#theme = themeOf(this.host);
  }

  paint(marks: readonly Mark[]): void {
    const seen = marks.filter((mark) => mark.look !== "quiet");
    if (this.#isBoxed) {
      this.#boxes.draw(this.host, seen);
      return;
    }
    const before = this.#drawn;
    this.#drawn = new Map();
    const ranges: Array<readonly [Exclude<Mark["look"], "quiet">, OpaqueRange]> = [];
    for (const mark of seen) {
      const known = before.get(mark.id);
      // They follow edits by themselves, but fall to 0 when a script sets the value.
      const isRight = known?.startOffset === mark.start && known.endOffset === mark.end;
      const range = isRight ? known : this.#range(mark.start, mark.end);
      if (!range) continue;
      this.#drawn.set(mark.id, range);
      ranges.push([mark.look as Exclude<Mark["look"], "quiet">, range]);
    }
    if (ranges.length === 0) this.#painter.clear(this);
    else this.#painter.paint(this, this.#theme, ranges);
    for (const [id, range] of before) if (this.#drawn.get(id) !== range) range.disconnect();
  }

  rects(start: number, end: number): DOMRect[] {
    const range = this.#isBoxed ? null : this.#range(start, end);
    if (range) {
      const rects = [...range.getClientRects()];
      range.disconnect();
      return rects;
    }
    const mirror = new Mirror(this.host, this.#boxes.root());
    try {
      return mirror.rects(start, end);
    } finally {
      mirror.dispose();
    }
  }

  caret(): Caret | null {
    const { selectionStart, selectionEnd, selectionDirection } = this.host;
    if (selectionStart === null || selectionEnd === null) return null;
    const direction = selectionDirection ?? "none";
    return direction === "backward"
      ? { anchor: selectionEnd, focus: selectionStart, direction }
      : { anchor: selectionStart, focus: selectionEnd, direction };
  }

  select(anchor: number, focus: number, direction: Caret["direction"] = "none"): boolean {
    this.host.focus({ preventScroll: true });
    this.host.setSelectionRange(Math.min(anchor, focus), Math.max(anchor, focus), direction);
    return true;
  }

  reveal(start: number, end: number): void {
    const rect = this.rects(start, end)[0];
    const box = this.host.getBoundingClientRect();
    if (rect && (rect.top < box.top || rect.bottom > box.bottom)) {
      this.host.scrollTop += rect.top - box.top - box.height / 2;
    }
    this.host.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  dispose(): void {
    this.#release();
    this.#painter.clear(this);
    this.#boxes.clear(this.host);
  }

  #range(start: number, end: number): OpaqueRange | null {
    try {
      return this.host.createValueRange?.(start, end) ?? null;
    } catch {
      // Input types without a text selection refuse.
      this.#isBoxed = true;
      return null;
    }
  }

  #release(): void {
    for (const range of this.#drawn.values()) range.disconnect();
    this.#drawn.clear();
  }
}
