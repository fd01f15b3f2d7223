/** Noticing that somebody types into something that cannot be read, so that the icon does not look as if it were. */

/** Fewer keys may be the page's shortcuts. */
const ENOUGH_KEYS = 12;

export class UnseenTyping {
  readonly #abort = new AbortController();
  readonly #changed: () => void;
  #keys = 0;
  #isSeen = false;

  constructor(changed: () => void) {
    this.#changed = changed;
    const note = (event: KeyboardEvent): void => {
      if (this.#isSeen) return;
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isText && isCanvasLike(event.composedPath()[0])) this.note();
    };
    window.addEventListener("keydown", note, { capture: true, passive: true, signal: this.#abort.signal });
  }

  get isSeen(): boolean {
    return this.#isSeen;
  }

  note(): void {
    this.#keys += 1;
    if (this.#isSeen || this.#keys < ENOUGH_KEYS) return;
    this.#isSeen = true;
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
