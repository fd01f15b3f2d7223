/** Placeholders that stay the same for the same words all through a conversation: [NAME_1], [PLACE_2]. */
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
