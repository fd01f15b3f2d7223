/**
 * Placeholders that stay the same for the same words all through a conversation: tags such as [NAME_1], or stand-ins,
 * made-up words of the same kind.
 */
import type { Category } from "../finding";

const LABELS: Readonly<Record<Category, string>> = {
  name: "NAME", contact: "CONTACT", address: "ADDRESS", location: "PLACE", identifier: "ID", credential: "SECRET",
  age: "AGE", demographic: "BACKGROUND", health: "HEALTH", mental_health: "HEALTH", relationship: "FAMILY",
  occupation: "JOB", employer: "EMPLOYER", business: "BUSINESS", education: "EDUCATION", skill: "SKILL",
  finance: "MONEY", legal: "LEGAL", belief: "BELIEF", opinion: "OPINION", preference: "PREFERENCE",
  activity: "ACTIVITY", intention: "PLAN", habit: "HABIT", possession: "BELONGING", emotion: "FEELING",
};

export interface PlaceholderEntry {
  placeholder: string;
  value: string;
}

export class Placeholders {
  readonly #byValue = new Map<string, string>();
  readonly #byPlaceholder = new Map<string, string>();

  constructor(entries: Iterable<PlaceholderEntry> = []) {
    for (const { placeholder, value } of entries) this.#add(placeholder, value);
  }

  /** The placeholder for these words; a number that already stands in `text` by the user's own hand is not used. */
  placeholderFor(value: string, category: Category, text: string): string {
    const known = this.#byValue.get(value.toLowerCase());
    if (known !== undefined) return known;
    for (let number = 1; ; number += 1) {
      const placeholder = `[${LABELS[category]}_${number}]`;
      if (this.#byPlaceholder.has(placeholder) || text.includes(placeholder)) continue;
      this.#add(placeholder, value);
      return placeholder;
    }
  }

  has(value: string): boolean {
    return this.#byValue.has(value.toLowerCase());
  }

  /**
   * Takes a stand-in for `value` and those that go with it (the first name of a full name). False, and nothing taken,
   * when one of them stands in `text` by the user's own hand or for something else.
   */
  take(value: string, made: readonly PlaceholderEntry[], text: string): boolean {
    const said = text.toLowerCase();
    const isFree = ({ placeholder }: PlaceholderEntry): boolean =>
      placeholder !== "" && !this.#byPlaceholder.has(placeholder) && !said.includes(placeholder.toLowerCase());
    if (made[0]?.value !== value || !made.every(isFree)) return false;
    for (const one of made) if (!this.has(one.value)) this.#add(one.placeholder, one.value);
    return true;
  }

  valueOf(placeholder: string): string | undefined {
    return this.#byPlaceholder.get(placeholder);
  }

  get entries(): PlaceholderEntry[] {
    return [...this.#byPlaceholder].map(([placeholder, value]) => ({ placeholder, value }));
  }

  #add(placeholder: string, value: string): void {
    this.#byValue.set(value.toLowerCase(), placeholder);
    this.#byPlaceholder.set(placeholder, value);
  }
}
