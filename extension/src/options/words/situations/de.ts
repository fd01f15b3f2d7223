import type { Retold } from ".";

export const de: Readonly<Record<string, Retold>> = {};
