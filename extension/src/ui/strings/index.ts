/** The words of the extension in the user's language. */
import { de } from "./de";
import { en, type StringKey, type Strings } from "./en";
import { zh } from "./zh";

export type { StringKey } from "./en";
export type Language = "en" | "zh" | "de";
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", zh: "中文", de: "Deutsch" };

const TABLES: Readonly<Record<Language, Strings>> = { en, zh, de };

export type Translate = (key: StringKey, values?: Readonly<Record<string, string | number>>) => string;

/** `wanted` is a setting or a browser language tag such as "zh-CN"; English where there is no table for it. */
export function languageOf(wanted: string | undefined): Language {
  const primary = wanted?.toLowerCase().split("-")[0] ?? "en";
  return primary === "zh" || primary === "de" ? primary : "en";
}

export function translator(language: Language): Translate {
  const table = TABLES[language];
  return (key, values = {}) =>
    table[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
