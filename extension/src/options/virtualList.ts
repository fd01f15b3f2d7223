/**
 * A long list of rows of equal height, of which only those near the window exist. The page itself scrolls; an empty
 * height keeps the place of the others.
 */
import { element } from "../ui/element";

const SPARE_ROWS = 6;

export class VirtualList {
  readonly root = element("div", { class: "virtual", role: "list" });
  readonly #draw: (index: number) => HTMLElement | null;
  readonly #wanted: (first: number, last: number) => void;
  readonly #rows = new Map<number, HTMLElement>();
  #count = 0;
  #frame = 0;

  /** `draw` gives null for a row that is not there yet; `wanted` hears which rows are in view. */
  constructor(draw: (index: number) => HTMLElement | null, wanted: (first: number, last: number) => void, signal: AbortSignal) {
    this.#draw = draw;
    this.#wanted = wanted;
    const later = (): void => {
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#place();
      });
    };
    window.addEventListener("scroll", later, { passive: true, signal });
    window.addEventListener("resize", () => this.update(this.#count), { signal });
  }

  /** Draws everything in view anew. */
  update(count: number): void {
    this.#count = count;
    this.#rows.clear();
    this.root.replaceChildren();
    this.root.style.height = `${count * this.#rowHeight()}px`;
    this.#place();
  }

  /** Draws those rows that were missing. */
  fill(): void {
    for (const [index, row] of this.#rows) {
      if (!row.classList.contains("waiting")) continue;
      row.remove();
      this.#rows.delete(index);
    }
    this.#place();
  }

  #rowHeight(): number {
    return Number.parseFloat(getComputedStyle(this.root).getPropertyValue("--row-height")) || 84;
  }

  #place(): void {
    if (!this.root.isConnected) return;
    const height = this.#rowHeight();
    const above = -this.root.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(above / height) - SPARE_ROWS);
    const last = Math.min(this.#count - 1, Math.ceil((above + innerHeight) / height) + SPARE_ROWS);
    for (const [index, row] of this.#rows) {
      // The row that has the focus stays, wherever it is.
      if ((index >= first && index <= last) || row.contains(document.activeElement)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    for (let index = first; index <= last; index += 1) if (!this.#rows.has(index)) this.#add(index, height);
    if (last >= first) this.#wanted(first, last);
  }

  #add(index: number, height: number): void {
    const inside = this.#draw(index);
    const row = element(
      "div",
      { class: inside ? "history-row" : "history-row waiting", role: "listitem", "aria-setsize": String(this.#count), "aria-posinset": String(index + 1) },
      ...(inside ? [inside] : []),
    );
    row.style.transform = `translateY(${index * height}px)`;
    this.#rows.set(index, row);
    // In the order they are seen, for those who go by keyboard.
    const after = [...this.#rows].filter(([other]) => other > index).sort((a, b) => a[0] - b[0])[0]?.[1];
    this.root.insertBefore(row, after ?? null);
  }
}
