/** The marks' style sheet in the page's shadow roots, for as long as a field in them is watched. */
export class ShadowStyles {
  /** Null where the extension's own style sheet reaches into shadow roots. */
  readonly #css: string | null;
  readonly #roots = new Map<HTMLElement, ShadowRoot>();
  #sheet: CSSStyleSheet | null = null;

  constructor(css: string | null) {
    this.#css = css;
  }

  add(host: HTMLElement): void {
    const root = host.getRootNode();
    if (this.#css === null || !(root instanceof ShadowRoot)) return;
    const isStyled = [...this.#roots.values()].includes(root);
    if (!isStyled) root.adoptedStyleSheets.push(this.#sheetOf(this.#css));
    this.#roots.set(host, root);
  }

  /** The root is the one it had when it was added: the page may have taken the field out meanwhile. */
  remove(host: HTMLElement): void {
    const root = this.#roots.get(host);
    this.#roots.delete(host);
    if (!root || !this.#sheet || [...this.#roots.values()].includes(root)) return;
    // The page may have taken it out, too.
    const at = root.adoptedStyleSheets.indexOf(this.#sheet);
    if (at >= 0) root.adoptedStyleSheets.splice(at, 1);
  }

  #sheetOf(css: string): CSSStyleSheet {
    if (!this.#sheet) {
      this.#sheet = new CSSStyleSheet();
      this.#sheet.replaceSync(css);
    }
    return this.#sheet;
  }
}
