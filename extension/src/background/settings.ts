/** The user's settings for this browser; no typed text and no secret is among them. */
import { api } from "../browser";
import { DEFAULT_SETTINGS, type Settings } from "../protocol";

const KEY = "settings";

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** Unknown or broken entries fall back to their defaults, one by one. */
export function readSettingsFrom(stored: unknown): Settings {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T =>
    allowed.includes(given[name] as T) ? (given[name] as T) : fallback;
  return {
    language: oneOf("language", ["auto", "en", "zh", "de"], DEFAULT_SETTINGS.language),
    gate: oneOf("gate", ["off", "gentle", "strict"], DEFAULT_SETTINGS.gate),
    hiddenMarks: given.hiddenMarks === true,
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
