/**
 * Noticing that a file was attached: what is in it is not checked, and that is said. And that it was taken away again,
 * as far as the page tells: a field for files that the page leaves filled is the file, and a press that empties it takes
 * the file away. Many pages empty the field themselves as soon as they have the file, and what is dropped or pasted is in
 * no field: nothing but the page's own markup tells of these, so they are spoken of until the next message or EXPIRY_MS.
 */
import { editableAround } from "../page-core/editor";

/** Pages read a file, and answer a press, within this. */
const SETTLE_MS = 1_000;
/** Longer than most messages are written. */
const EXPIRY_MS = 600_000;

/** Other keys press nothing. */
const PRESSING = /^(Enter| |Delete|Backspace)$/;

const isFilled = (input: HTMLInputElement): boolean => (input.files?.length ?? 0) > 0;

function fileInputOf(event: Event): HTMLInputElement | null {
  const target = event.composedPath()[0];
  return target instanceof HTMLInputElement && target.type === "file" ? target : null;
}

export class Attachments {
  readonly #abort = new AbortController();
  readonly #changed: () => void;
  /** The fields that are the file, or may turn out to be. */
  readonly #inputs = new Set<HTMLInputElement>();
  /** Runs while there may be a file that no field tells of. */
  #expiry: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called when `isThere` may have changed. */
  constructor(changed: () => void) {
    this.#changed = changed;
    const options = { capture: true, passive: true, signal: this.#abort.signal };
    const listen = <K extends keyof WindowEventMap>(type: K, handler: (event: WindowEventMap[K]) => void): void =>
      window.addEventListener(type, handler, options);
    listen("change", (event) => this.#chosen(fileInputOf(event)));
    listen("drop", (event) => {
      // A field that it is dropped on is changed by it.
      if (!fileInputOf(event)) this.#look(event.dataTransfer);
    });
    listen("paste", (event) => this.#look(event.clipboardData));
    listen("pointerdown", (event) => this.#pressed(event));
    listen("keydown", (event) => {
      if (PRESSING.test(event.key)) this.#pressed(event);
    });
  }

  get isThere(): boolean {
    return this.#inputs.size > 0 || this.#expiry !== undefined;
  }

  /** The message went out, its files with it. */
  clear(): void {
    this.#inputs.clear();
    this.#forget();
    this.#changed();
  }

  dispose(): void {
    this.#abort.abort();
    this.#forget();
  }

  #chosen(input: HTMLInputElement | null): void {
    if (!input) return;
    if (isFilled(input)) {
      this.#inputs.add(input);
      this.#settle([]);
    } else {
      this.#inputs.delete(input);
    }
    this.#changed();
  }

  #look(data: DataTransfer | null): void {
    if (!data || data.files.length === 0) return;
    this.#expireLater();
    this.#changed();
  }

  /** Before the page hears of it: what is emptied now was emptied by the page for itself, what is emptied after, by the press. */
  #pressed(event: Event): void {
    if (this.#inputs.size === 0 || editableAround(event.composedPath()[0])) return;
    this.#dropEmptied();
    this.#settle([...this.#inputs]);
  }

  /** Looks, when the page has done what it does, which of `pressed` are emptied. */
  #settle(pressed: readonly HTMLInputElement[]): void {
    setTimeout(() => {
      if (this.#abort.signal.aborted) return;
      // A field that left the page tells nothing: it may have stood in a menu that was closed.
      for (const input of pressed) if (input.isConnected && !isFilled(input)) this.#inputs.delete(input);
      this.#dropEmptied();
      this.#changed();
    }, SETTLE_MS);
  }

  /** Fields that say nothing of their file any more. */
  #dropEmptied(): void {
    for (const input of this.#inputs) {
      if (input.isConnected && isFilled(input)) continue;
      this.#inputs.delete(input);
      this.#expireLater();
    }
  }

  #expireLater(): void {
    this.#forget();
    this.#expiry = setTimeout(() => {
      this.#forget();
      this.#changed();
    }, EXPIRY_MS);
  }

  #forget(): void {
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
  }
}
