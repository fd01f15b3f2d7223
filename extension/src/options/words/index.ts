/** The words of the settings page beside those of the whole extension; pages never carry these. */
import { TABLES, translateFrom, type Language, type StringKey } from "../../ui/strings";
import type { Say as SayFrom } from "../../ui/strings";
import { de } from "./de";
import { en, type SettingsKey } from "./en";
import { zh } from "./zh";

export type Words = StringKey | SettingsKey;
export type Say = SayFrom<Words>;

export const SETTINGS_TABLES: Readonly<Record<Language, Readonly<Record<SettingsKey, string>>>> = { en, de, zh };

export function sayIn(language: Language): Say {
  return translateFrom<Words>({ ...TABLES[language], ...SETTINGS_TABLES[language] });
}

const isKind = (name: string): name is "health" => `kind_${name}` in TABLES.en;

/** A kind's name in words; one that this version does not know stays as it is. */
export function kindWords(t: Say, category: string): string {
  return isKind(category) ? t(`kind_${category}`) : category;
}
