/** Noticing that somebody types into something that cannot be read, so that the icon does not look as if it were. */

/** Fewer keys may be the page's shortcuts. */
const ENOUGH_KEYS = 12;

export class UnseenTyping {
  readonly #abort = new AbortController();
  readonly #changed: () => void;
  #keys = 0;
  #isSeen = false;
  #typedAt = 0;
  /** True until something is typed here, and again once the user went to another frame. */
  #isAway = true;

  constructor(changed: () => void) {
    this.#changed = changed;
    const note = (event: KeyboardEvent): void => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isText && isCanvasLike(event.composedPath()[0])) this.note();
    };
    window.addEventListener("keydown", note, { capture: true, passive: true, signal: this.#abort.signal });
    // Not capturing: that would be told of every field that loses the focus.
    window.addEventListener("blur", () => (this.#isAway = true), { signal: this.#abort.signal });
  }

  /** True while this is where was last typed in. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  /** When the user turned to where was last typed in, in milliseconds since 1970. */
  get typedAt(): number {
    return this.#typedAt;
  }

  note(): void {
    this.#keys += 1;
    if (this.#keys >= ENOUGH_KEYS) this.#turnTo(true);
  }

  /** The user typed into a field that can be read. */
  fieldTyped(): void {
    this.#keys = 0;
    this.#turnTo(false);
  }

  #turnTo(isSeen: boolean): void {
    if (!this.#isAway && isSeen === this.#isSeen) return;
    this.#isAway = false;
    this.#isSeen = isSeen;
    this.#typedAt = Date.now();
    this.#changed();
  }

  dispose(): void {
    this.#abort.abort();
  }
}

/** An element that takes keys but is no editable: an editor drawn by scripts. */
function isCanvasLike(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    target !== document.body &&
    target !== document.documentElement &&
    !target.isContentEditable &&
    !/^(INPUT|TEXTAREA|SELECT|BUTTON|A|IFRAME)$/.test(target.nodeName) &&
    target.shadowRoot === null
  );
}
