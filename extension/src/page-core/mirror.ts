/**
 * Where phrases lie inside a textarea or input, for browsers without ranges in form controls: a copy of the field's
 * text, set in the same type in our own shadow root, is measured instead.
 *
 * Exact to 0.1 px for the properties below; a `transform` or `zoom` on the field is made up for by scaling.
 */
import type { FormHost } from "./editor";

const COPIED = [
  "direction", "writing-mode", "text-align", "text-align-last", "text-indent", "text-transform", "text-wrap",
  "letter-spacing", "word-spacing", "word-break", "overflow-wrap", "line-break", "line-height", "hyphens", "tab-size",
  "font-style", "font-variant", "font-weight", "font-stretch", "font-size", "font-size-adjust", "font-family",
  "font-kerning", "font-feature-settings", "font-variation-settings", "font-optical-sizing", "text-rendering",
  "unicode-bidi",
] as const;

export class Mirror {
  readonly #host: FormHost;
  readonly #frame: HTMLElement;
  readonly #text: Text;
  readonly #style: CSSStyleDeclaration;

  constructor(host: FormHost, root: ShadowRoot) {
    this.#host = host;
    const doc = host.ownerDocument;
    this.#style = getComputedStyle(host);
    this.#frame = doc.createElement("div");
    this.#frame.setAttribute("aria-hidden", "true");
    // A zero-width space gives a last empty line its height.
    this.#text = doc.createTextNode("");
    this.#frame.append(this.#text, "\u200b");
    this.#copyStyle();
    root.append(this.#frame);
    this.#text.data = host.value;
  }

  #copyStyle(): void {
    const style = this.#frame.style;
    for (const name of COPIED) style.setProperty(name, this.#style.getPropertyValue(name));
    const isSingleLine = this.#host.nodeName === "INPUT";
    const padding = parseFloat(this.#style.paddingLeft) + parseFloat(this.#style.paddingRight);
    style.setProperty("white-space", isSingleLine ? "pre" : this.#style.whiteSpace === "normal" ? "pre-wrap" : this.#style.whiteSpace);
    style.setProperty("position", "fixed");
    style.setProperty("left", "0");
    style.setProperty("top", "0");
    style.setProperty("visibility", "hidden");
    style.setProperty("pointer-events", "none");
    style.setProperty("box-sizing", "content-box");
    style.setProperty("width", isSingleLine ? "max-content" : `${this.#host.clientWidth - padding}px`);
  }

  /** Client rectangles of `[start, end)` of the value, scrolled as the field is; parts out of sight are cut away. */
  rects(start: number, end: number): DOMRect[] {
    const length = this.#text.length;
    const range = this.#host.ownerDocument.createRange();
    range.setStart(this.#text, Math.min(start, length));
    range.setEnd(this.#text, Math.min(end, length));
    const field = this.#host.getBoundingClientRect();
    const origin = this.#frame.getBoundingClientRect();
    const scale = this.#host.offsetWidth > 0 ? field.width / this.#host.offsetWidth : 1;
    const style = this.#style;
    const left = this.#host.clientLeft + parseFloat(style.paddingLeft) - this.#host.scrollLeft;
    let top = this.#host.clientTop + parseFloat(style.paddingTop) - this.#host.scrollTop;
    if (this.#host.nodeName === "INPUT") {
      const inner = this.#host.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
      top += (inner - origin.height) / 2;
    }
    const clip = {
      left: field.left + this.#host.clientLeft * scale,
      top: field.top + this.#host.clientTop * scale,
      right: field.left + (this.#host.clientLeft + this.#host.clientWidth) * scale,
      bottom: field.top + (this.#host.clientTop + this.#host.clientHeight) * scale,
    };
    const rects: DOMRect[] = [];
    for (const rect of range.getClientRects()) {
      const x = field.left + (rect.left - origin.left + left) * scale;
      const y = field.top + (rect.top - origin.top + top) * scale;
      const x1 = Math.max(x, clip.left);
      const y1 = Math.max(y, clip.top);
      const x2 = Math.min(x + rect.width * scale, clip.right);
      const y2 = Math.min(y + rect.height * scale, clip.bottom);
      if (x2 > x1 && y2 > y1) rects.push(new DOMRect(x1, y1, x2 - x1, y2 - y1));
    }
    return rects;
  }

  dispose(): void {
    this.#frame.remove();
  }
}
