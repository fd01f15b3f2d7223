import type { Retold } from ".";

export const zh: Readonly<Record<string, Retold>> = {};
