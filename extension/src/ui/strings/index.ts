/** The words of the extension in the user's language. */
import { de } from "./de";
import { en, type Strings } from "./en";
import { translateFrom, type Translate } from "./translate";
import { zh } from "./zh";

export { translateFrom, type Say, type Translate } from "./translate";
export type { StringKey, Strings } from "./en";
export type Language = "en" | "zh" | "de";
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", zh: "中文", de: "Deutsch" };

export const TABLES: Readonly<Record<Language, Strings>> = { en, zh, de };

/** `wanted` is a setting or a browser language tag such as "zh-CN"; English where there is no table for it. */
export function languageOf(wanted: string | undefined): Language {
  const primary = wanted?.toLowerCase().split("-")[0] ?? "en";
  return primary === "zh" || primary === "de" ? primary : "en";
}

export const translator = (language: Language): Translate => translateFrom(TABLES[language]);
