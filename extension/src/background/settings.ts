/** The user's settings for this browser; no typed text and no secret is among them. */
import { api } from "../browser";
import { DEFAULT_STYLE, DRAWN, LINES, SCHEMES, type MarkStyle } from "../page-core/markStyle";
import { DEFAULT_SETTINGS, PACES, type Pace, type Settings } from "../protocol";

const KEY = "settings";

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

function markStyleFrom(stored: unknown): MarkStyle {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<Record<keyof MarkStyle, unknown>>;
  const lines = (typeof given.lines === "object" && given.lines !== null ? given.lines : {}) as Record<string, unknown>;
  const pick = <T>(allowed: readonly T[], value: unknown, fallback: T): T => (allowed.includes(value as T) ? (value as T) : fallback);
  return {
    lines: Object.fromEntries(DRAWN.map((look) => [look, pick(LINES, lines[look], DEFAULT_STYLE.lines[look])])) as MarkStyle["lines"],
    scheme: pick(SCHEMES, given.scheme, DEFAULT_STYLE.scheme),
    isHighContrast: given.isHighContrast === true,
  };
}

/** Unknown or broken entries fall back to their defaults, one by one. */
export function readSettingsFrom(stored: unknown): Settings {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T =>
    allowed.includes(given[name] as T) ? (given[name] as T) : fallback;
  return {
    language: oneOf("language", ["auto", "en", "zh", "de"], DEFAULT_SETTINGS.language),
    gate: oneOf("gate", ["off", "gentle", "strict"], DEFAULT_SETTINGS.gate),
    hiddenMarks: given.hiddenMarks === true,
    markStyle: markStyleFrom(given.markStyle),
    pace: oneOf("pace", Object.keys(PACES) as Pace[], DEFAULT_SETTINGS.pace),
    quietKinds: texts(given.quietKinds),
    restoresReplies: given.restoresReplies !== false,
    placeholderStyle: oneOf("placeholderStyle", ["tags", "standins"], DEFAULT_SETTINGS.placeholderStyle),
    sitesOff: texts(given.sitesOff),
    pausedUntil: typeof given.pausedUntil === "number" ? given.pausedUntil : 0,
  };
}

export async function readSettings(): Promise<Settings> {
  return readSettingsFrom((await api.storage.local.get(KEY))[KEY]);
}

export async function writeSettings(change: Partial<Settings>): Promise<Settings> {
  const settings = readSettingsFrom({ ...(await readSettings()), ...change });
  await api.storage.local.set({ [KEY]: settings });
  return settings;
}
