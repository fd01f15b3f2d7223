/**
 * Draws marks with the CSS Custom Highlight API: the page's DOM is not touched.
 *
 * `CSS.highlights` is shared with the page, so the names say nothing, and an entry that the page removed is put back
 * on the next change. One `Highlight` per look and theme, whatever the number of marks.
 */
import type { Drawn, MarkStyle } from "./markStyle";

export type Theme = "day" | "night";

const NAMES: Record<Drawn, string> = { strong: "lm-a", soft: "lm-b", secret: "lm-c", others: "lm-d" };
/** Where marks overlap, the weightier line is the one seen. */
const PRIORITY: Record<Drawn, number> = { soft: 1, others: 2, strong: 3, secret: 4 };

/** The name of a line in `marks.css`; null where the user wants none. */
export function highlightName(look: Drawn, theme: Theme, { lines, isHighContrast }: MarkStyle): string | null {
  if (lines[look] === "none") return null;
  return NAMES[look] + (theme === "night" ? "-n" : "") + (lines[look] === "faint" ? "-f" : "") + (isHighContrast ? "-h" : "");
}

export class Painter {
  readonly #highlights = new Map<string, Highlight>();
  readonly #painted = new Map<object, Map<AbstractRange, Highlight>>();
  readonly #style: MarkStyle;

  constructor(style: MarkStyle) {
    this.#style = style;
  }

  static isSupported(): boolean {
    return typeof Highlight === "function" && CSS.highlights !== undefined;
  }

  /** Replaces everything `owner` has painted; a range that stays as it is costs nothing. */
  paint(owner: object, theme: Theme, ranges: Iterable<readonly [Drawn, AbstractRange]>): void {
    const before = this.#painted.get(owner);
    const painted = new Map<AbstractRange, Highlight>();
    for (const [look, range] of ranges) {
      const highlight = this.#highlight(look, theme);
      if (!highlight) continue;
      if (before?.get(range) !== highlight) highlight.add(range);
      painted.set(range, highlight);
    }
    if (before) for (const [range, highlight] of before) if (painted.get(range) !== highlight) highlight.delete(range);
    this.#painted.set(owner, painted);
    this.restore();
  }

  clear(owner: object): void {
    for (const [range, highlight] of this.#painted.get(owner) ?? []) highlight.delete(range);
    this.#painted.delete(owner);
  }

  /** Puts back the registry entries that the page may have cleared. */
  restore(): void {
    for (const [name, highlight] of this.#highlights) {
      if (highlight.size > 0 && CSS.highlights.get(name) !== highlight) CSS.highlights.set(name, highlight);
    }
  }

  dispose(): void {
    this.#painted.clear();
    for (const [name, highlight] of this.#highlights) {
      highlight.clear();
      if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name);
    }
    this.#highlights.clear();
  }

  #highlight(look: Drawn, theme: Theme): Highlight | null {
    const name = highlightName(look, theme, this.#style);
    if (name === null) return null;
    let highlight = this.#highlights.get(name);
    if (!highlight) {
      highlight = new Highlight();
      highlight.priority = PRIORITY[look];
      this.#highlights.set(name, highlight);
    }
    return highlight;
  }
}
