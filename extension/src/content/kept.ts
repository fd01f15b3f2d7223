/** What the user chose to keep on this page: the same phrase of the same kind is not marked again. */
import type { Finding } from "../finding";

const nameOf = (finding: Finding): string => `${finding.category}\n${finding.phrase.toLowerCase()}`;

export class KeptPhrases {
  readonly #phrases = new Set<string>();
  readonly #kinds = new Set<string>();

  has(finding: Finding): boolean {
    return this.#phrases.has(nameOf(finding)) || this.#kinds.has(finding.category);
  }

  keep(finding: Finding): void {
    this.#phrases.add(nameOf(finding));
  }

  keepKind(finding: Finding): void {
    this.#kinds.add(finding.category);
  }

  forget(finding: Finding): void {
    this.#phrases.delete(nameOf(finding));
  }

  forgetKind(finding: Finding): void {
    this.#kinds.delete(finding.category);
  }
}
