/** Filling in the blanks of a sentence. Apart from the tables, so that a page's script need not carry them all. */
import type { StringKey } from "./en";

export type Say<K extends string> = (key: K, values?: Readonly<Record<string, string | number>>) => string;
export type Translate = Say<StringKey>;

export function translateFrom<K extends string>(table: Readonly<Record<K, string>>): Say<K> {
  return (key, values = {}) =>
    table[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
