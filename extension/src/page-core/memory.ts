/** Answers remembered by paragraph, so that only what changed is checked again. Held in memory, per page. */
import type { Finding } from "../finding";

/** Enough for the longest text that is marked, with its recent edits. */
const CAPACITY = 2000;

/** Findings' offsets are relative to their paragraph. */
export class ParagraphMemory {
  readonly #answers = new Map<string, readonly Finding[]>();

  has(key: string): boolean {
    return this.#answers.has(key);
  }

  get(key: string): readonly Finding[] | undefined {
    return this.#answers.get(key);
  }

  set(key: string, findings: readonly Finding[]): void {
    this.#answers.delete(key);
    this.#answers.set(key, findings);
    if (this.#answers.size > CAPACITY) {
      const oldest = this.#answers.keys().next().value;
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
  }

  clear(): void {
    this.#answers.clear();
  }
}
