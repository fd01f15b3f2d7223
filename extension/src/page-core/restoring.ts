/** Finding placeholders in a reply, also where the assistant has bent them: [Name_1], NAME 1], **NAME_1**, 【NAME_1】. */
import type { PlaceholderEntry } from "./placeholders";

export interface Occurrence {
  start: number;
  end: number;
  value: string;
}

const OPEN = "[\\[(<{［【（〔]";
const CLOSE = "[\\])>}］】）〕]";

/** The words of a placeholder with whatever may stand between them; at least one bracket or the underscore must be left. */
function patternFor(placeholder: string): string {
  const words = placeholder.replace(/[[\]]/g, "").split("_");
  const joined = words.join("[_\\s\\u00a0-]{0,2}");
  const strict = words.join("_");
  return `${OPEN}\\s?${joined}\\s?${CLOSE}?|${joined}\\s?${CLOSE}|\\b${strict}\\b`;
}

export function findPlaceholders(text: string, entries: readonly PlaceholderEntry[]): Occurrence[] {
  const found: Occurrence[] = [];
  for (const { placeholder, value } of entries) {
    // A further digit makes it another placeholder.
    const pattern = new RegExp(`(?:${patternFor(placeholder)})(?!\\d)`, "gi");
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const isInside = /[A-Za-z0-9]/.test(text[start - 1] ?? "") && /[A-Za-z0-9]/.test(match[0][0] ?? "");
      if (!isInside) found.push({ start, end: start + match[0].length, value });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The text with the user's own words in place of the placeholders. */
export function restore(text: string, entries: readonly PlaceholderEntry[]): string {
  let restored = "";
  let from = 0;
  for (const { start, end, value } of findPlaceholders(text, entries)) {
    if (start < from) continue;
    restored += text.slice(from, start) + value;
    from = end;
  }
  return restored + text.slice(from);
}
