/** Less detailed wordings for a phrase: as the daemon offers them, and the guard that lets them in. */
import type { Level } from "./finding";

export interface Wording {
  text: string;
  /** How many UTF-16 units before the phrase are replaced with it: an article, or the words that name a number. */
  lead: number;
  /** What the text tells then; null for a wording of the user's own. */
  reached: { granularity: Level; identifiability: Level } | null;
}

/** As much of a text as tells the grammar around a phrase; offsets are UTF-16 units of it. */
export interface Clause {
  text: string;
  start: number;
  end: number;
}

const BEFORE = 200;
const AFTER = 120;
const LONGEST = 200;

export function clauseAround(text: string, start: number, end: number): Clause {
  const from = Math.max(0, start - BEFORE);
  return { text: text.slice(from, end + AFTER), start: start - from, end: end - from };
}

const isLevel = (value: unknown): value is Level => value === 1 || value === 2 || value === 3;

/** The wordings in an answer that fit the clause they were asked for; what is malformed is left out. */
export function readWordings({ start, end }: Clause, answer: unknown): Wording[] {
  const { suggestions } = (answer ?? {}) as { suggestions?: unknown };
  if (!Array.isArray(suggestions)) return [];
  return suggestions.flatMap((one: unknown): Wording[] => {
    const { text, start: from, end: to, granularity, identifiability } = (one ?? {}) as Record<string, unknown>;
    const isSound = typeof text === "string" && text.trim() !== "" && text.length <= LONGEST && !/[\r\n]/.test(text);
    if (!isSound || !Number.isInteger(from) || to !== end || !isLevel(granularity) || !isLevel(identifiability)) return [];
    const lead = start - (from as number);
    return lead >= 0 && lead <= start ? [{ text, lead, reached: { granularity, identifiability } }] : [];
  });
}
