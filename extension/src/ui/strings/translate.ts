/** Filling in the blanks of a sentence. Apart from the tables, so that a page's script need not carry them all. */
import type { StringKey, Strings } from "./en";

export type Translate = (key: StringKey, values?: Readonly<Record<string, string | number>>) => string;

export function translateFrom(table: Strings): Translate {
  return (key, values = {}) =>
    table[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
