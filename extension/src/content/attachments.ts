/** Noticing that a file was attached: what is in it is not checked, and that is said. */
export class Attachments {
  readonly #abort = new AbortController();
  readonly #changed: () => void;
  #has = false;

  constructor(changed: () => void) {
    this.#changed = changed;
    const options = { capture: true, passive: true, signal: this.#abort.signal };
    window.addEventListener(
      "change",
      (event) => {
        const target = event.composedPath()[0];
        if (target instanceof HTMLInputElement && target.type === "file" && (target.files?.length ?? 0) > 0) this.#set(true);
      },
      options,
    );
    window.addEventListener("drop", (event) => this.#look(event.dataTransfer), options);
    window.addEventListener("paste", (event) => this.#look(event.clipboardData), options);
  }

  get isThere(): boolean {
    return this.#has;
  }

  /** The message went out, its files with it. */
  clear(): void {
    this.#set(false);
  }

  dispose(): void {
    this.#abort.abort();
  }

  #look(data: DataTransfer | null): void {
    if (data && data.files.length > 0) this.#set(true);
  }

  #set(has: boolean): void {
    if (this.#has === has) return;
    this.#has = has;
    this.#changed();
  }
}
