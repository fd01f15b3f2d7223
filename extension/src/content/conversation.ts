/**
 * The placeholders of the conversation this page shows. The background keeps what they stand for, in the daemon's
 * encrypted profile where there is one; the page itself never learns it.
 */
import type { Category } from "../finding";
import { Placeholders, type PlaceholderEntry } from "../page-core/placeholders";
import type { PlaceholderStyle } from "../protocol";
import { clauseAround } from "../wording";
import { ask } from "./background";

const ATTEMPTS = 3;

export class Conversation {
  readonly #style: PlaceholderStyle;
  readonly #onChange: (entries: readonly PlaceholderEntry[]) => void;
  #address = "";
  #placeholders = new Placeholders();
  #loading: Promise<void> = Promise.resolve();
  #storing: Promise<void> = Promise.resolve();

  constructor(style: PlaceholderStyle, onChange: (entries: readonly PlaceholderEntry[]) => void) {
    this.#style = style;
    this.#onChange = onChange;
    this.follow();
  }

  /** What is written for `text.slice(start, end)`: always the same for the same words. */
  async placeholderFor(text: string, start: number, end: number, category: Category): Promise<string> {
    this.follow();
    await this.#loading;
    const value = text.slice(start, end);
    const known = this.#placeholders.entries.length;
    if (this.#style === "standins" && !this.#placeholders.has(value)) await this.#takeStandIn(text, start, end, category);
    const placeholder = this.#placeholders.placeholderFor(value, category, text);
    if (this.#placeholders.entries.length > known) this.#store();
    return placeholder;
  }

  get entries(): PlaceholderEntry[] {
    return this.#placeholders.entries;
  }

  /** Notices that the page went to another conversation; call when that may have happened. */
  follow(): void {
    const address = location.origin + location.pathname.replace(/\/$/, "");
    if (address === this.#address) return;
    const before = this.#address;
    this.#address = address;
    this.#loading = this.#load(before);
  }

  /** The daemon sees the clause only: what it makes up may stand elsewhere in the text, so it may be asked again. */
  async #takeStandIn(text: string, start: number, end: number, category: Category): Promise<void> {
    const placeholders = this.#placeholders;
    const request = { kind: "StandIns", clause: clauseAround(text, start, end), category, known: placeholders.entries } as const;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const made = await ask(request).catch(() => []);
      if (made.length === 0 || placeholders.take(text.slice(start, end), made, text)) return;
    }
  }

  async #load(before: string): Promise<void> {
    const address = this.#address;
    const reply = await ask({ kind: "ReadPlaceholders", conversation: address }).catch(() => null);
    if (address !== this.#address) return;
    const stored = reply?.entries ?? [];
    // A chat gets its address with its first message: what was replaced in that message goes with it.
    const carried = stored.length === 0 && isDeeper(before, address) ? this.#placeholders.entries : [];
    this.#placeholders = new Placeholders([...stored, ...carried]);
    if (carried.length > 0) this.#store();
    else this.#onChange(this.entries);
  }

  #store(): void {
    const { entries } = this;
    const conversation = this.#address;
    // One after the other: an older list must not overwrite a newer one.
    this.#storing = this.#storing.then(() =>
      ask({ kind: "WritePlaceholders", conversation, entries }).then(
        () => undefined,
        () => undefined,
      ),
    );
    this.#onChange(entries);
  }
}

/** True when `after` is a path below, or longer than, the one of `before`: "/" became "/c/123". */
export function isDeeper(before: string, after: string): boolean {
  if (before === "") return false;
  const depth = (address: string): number => new URL(address).pathname.split("/").filter(Boolean).length;
  return new URL(before).origin === new URL(after).origin && depth(after) > depth(before);
}
