/**
 * Finding placeholders in a reply, also where the assistant has bent them: [Name_1], NAME 1], **NAME_1**, 【NAME_1】;
 * a stand-in's possessive, its number with other spaces.
 */
import type { PlaceholderEntry } from "./placeholders";

export interface Occurrence {
  start: number;
  end: number;
  value: string;
}

const OPEN = "[\\[(<{［【（〔]";
const CLOSE = "[\\])>}］】）〕]";
const TAG = /^\[[A-Z]+_\d+\]$/;
/** Digits from which on a stand-in is a number that may be written with other spaces. */
const NUMBER_FROM = 7;

const isTag = (placeholder: string): boolean => TAG.test(placeholder);

/** The words of a tag with whatever may stand between them; at least one bracket or the underscore must be left. */
function tagPattern(tag: string): RegExp {
  const words = tag.replace(/[[\]]/g, "").split("_");
  const joined = words.join("[_\\s\\u00a0-]{0,2}");
  const strict = words.join("_");
  const bent = `${OPEN}\\s?${joined}\\s?${CLOSE}?|${joined}\\s?${CLOSE}|\\b${strict}\\b`;
  // A further digit makes it another tag; a letter before it, another word.
  return new RegExp(`(?<![A-Za-z0-9](?=[A-Za-z0-9]))(?:${bent})(?!\\d)`, "gi");
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

const isNumber = (standIn: string): boolean =>
  standIn.replace(/\D/g, "").length >= NUMBER_FROM && /^[+\d\s()./-]+$/.test(standIn);

/** A stand-in as it stands, or a number of it with other spaces; not inside a longer word, a possessive "s" aside. */
function standInPattern(standIn: string): RegExp {
  const digits = standIn.replace(/\D/g, "");
  const body = isNumber(standIn)
    ? `(?:\\+\\s?)?\\(?${[...digits].join("[\\s\\u00a0()./-]{0,2}")}`
    : standIn.split(/\s+/).map(escaped).join("[\\s\\u00a0]+");
  const isHan = /[\u4e00-\u9fff]/.test(standIn);
  const edges = isHan ? [/^\d/.test(standIn) ? "(?<!\\d)" : "", ""] : ["(?<![\\p{L}\\p{N}])", "(?=s?(?![\\p{L}\\p{N}]))"];
  return new RegExp(edges[0] + body + edges[1], standIn.includes("@") ? "giu" : "gu");
}

export function findPlaceholders(text: string, entries: readonly PlaceholderEntry[]): Occurrence[] {
  const found: Occurrence[] = [];
  for (const { placeholder, value } of entries) {
    for (const match of text.matchAll(isTag(placeholder) ? tagPattern(placeholder) : standInPattern(placeholder))) {
      found.push({ start: match.index, end: match.index + match[0].length, value });
    }
  }
  // The longer one first: a full name is not also its first name.
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let from = 0;
  return found.filter(({ start, end }) => {
    if (start < from) return false;
    from = end;
    return true;
  });
}

/** Some letters that every form of a placeholder has, lower case: a quick look for text that may hold it. */
export function stemOf(placeholder: string): string {
  if (isTag(placeholder)) return placeholder.slice(1).split("_")[0]!.toLowerCase();
  if (isNumber(placeholder)) return placeholder.replace(/\D/g, "").slice(0, 2);
  return placeholder.match(/[\p{L}]{2,}|\d{2,}/u)?.[0].toLowerCase() ?? placeholder.toLowerCase();
}

/** The text with the user's own words in place of the placeholders. */
export function restore(text: string, entries: readonly PlaceholderEntry[]): string {
  let restored = "";
  let from = 0;
  for (const { start, end, value } of findPlaceholders(text, entries)) {
    restored += text.slice(from, start) + value;
    from = end;
  }
  return restored + text.slice(from);
}
