/**
 * Lines drawn over a form field in our own shadow root, where the highlight registry cannot reach into it.
 * Redrawn at most once a frame: on edits, scrolling and resizing.
 */
import type { FormHost } from "./editor";
import type { Mark } from "./mark";
import type { Drawn, MarkStyle } from "./markStyle";
import { Mirror } from "./mirror";
import { themeOf } from "./theme";

interface Drawing {
  marks: readonly Mark[];
  lines: HTMLElement[];
  resize: ResizeObserver;
}

export class Boxes {
  readonly #root: () => ShadowRoot;
  readonly #drawings = new Map<FormHost, Drawing>();
  readonly #abort = new AbortController();
  #frame = 0;
  /** True when the user wants marks that the page cannot see: boxes even where highlights would work. */
  readonly isPreferred: boolean;
  readonly #style: MarkStyle;

  constructor(root: () => ShadowRoot, isPreferred: boolean, style: MarkStyle) {
    this.#root = root;
    this.#style = style;
    this.isPreferred = isPreferred;
    const options = { capture: true, passive: true, signal: this.#abort.signal };
    window.addEventListener("scroll", () => this.#schedule(), options);
    window.addEventListener("resize", () => this.#schedule(), options);
  }

  root(): ShadowRoot {
    return this.#root();
  }

  draw(host: FormHost, marks: readonly Mark[]): void {
    let drawing = this.#drawings.get(host);
    if (!drawing) {
      if (marks.length === 0) return;
      drawing = { marks, lines: [], resize: new ResizeObserver(() => this.#schedule()) };
      drawing.resize.observe(host);
      this.#drawings.set(host, drawing);
    }
    drawing.marks = marks;
    if (marks.length === 0) this.clear(host);
    else this.#schedule();
  }

  clear(host: FormHost): void {
    const drawing = this.#drawings.get(host);
    if (!drawing) return;
    drawing.resize.disconnect();
    for (const line of drawing.lines) line.remove();
    this.#drawings.delete(host);
  }

  dispose(): void {
    this.#abort.abort();
    cancelAnimationFrame(this.#frame);
    for (const host of [...this.#drawings.keys()]) this.clear(host);
  }

  #schedule(): void {
    if (this.#drawings.size === 0) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      for (const [host, drawing] of this.#drawings) this.#redraw(host, drawing);
    });
  }

  #redraw(host: FormHost, drawing: Drawing): void {
    if (!host.isConnected) {
      this.clear(host);
      return;
    }
    const root = this.#root();
    const theme = themeOf(host);
    const mirror = new Mirror(host, root);
    const placed: Array<{ look: Drawn; rect: DOMRect }> = [];
    for (const mark of drawing.marks) {
      if (mark.look === "quiet" || this.#style.lines[mark.look] === "none") continue;
      if (!host.value.startsWith(mark.finding.phrase, mark.start)) continue;
      for (const rect of mirror.rects(mark.start, mark.end)) placed.push({ look: mark.look, rect });
    }
    mirror.dispose();
    while (drawing.lines.length > placed.length) drawing.lines.pop()!.remove();
    while (drawing.lines.length < placed.length) {
      const line = host.ownerDocument.createElement("div");
      root.append(line);
      drawing.lines.push(line);
    }
    placed.forEach(({ look, rect }, index) => {
      const line = drawing.lines[index]!;
      line.className = `line ${look} ${theme} ${this.#style.lines[look]}${this.#style.isHighContrast ? " contrast" : ""}`;
      line.style.left = `${rect.left}px`;
      line.style.top = `${rect.bottom - 2}px`;
      line.style.width = `${rect.width}px`;
    });
  }
}
