/** What the rest of the page logic needs from an editable, whichever kind it is. */
import type { EditorKind } from "./editor";
import type { Mark } from "./mark";

export interface Caret {
  /** Offsets in the field's text. */
  anchor: number;
  focus: number;
  direction: "forward" | "backward" | "none";
}

export interface Field {
  readonly host: HTMLElement;
  readonly kind: EditorKind;
  /** The text now, line breaks as "\n"; also refreshes what offsets refer to. */
  read(): string;
  /** The same after nothing but these changes of the editor's DOM since the last reading: cheaper, called per key. */
  readAfter(records: readonly MutationRecord[]): string;
  /** Sees whether the page around is light or dark. Reads styles: call at pauses, never per key. */
  lookAround(): void;
  /** Draws these marks, and only these; offsets refer to the last `read()`. */
  paint(marks: readonly Mark[]): void;
  /** Client rectangles of `[start, end)`. Reads layout: never call per key. */
  rects(start: number, end: number): DOMRect[];
  /** The selection as offsets of the last `read()`; null when it lies elsewhere. */
  caret(): Caret | null;
  /** Selects `[start, end)` without scrolling the page. */
  select(anchor: number, focus: number, direction?: Caret["direction"]): boolean;
  /** Scrolls the phrase into view. */
  reveal(start: number, end: number): void;
  dispose(): void;
}
