/** What can be said about a detector, in the user's words. */
import type { StatusOutcome } from "../protocol";
import type { InstalledModel } from "./answers";
import type { View } from "./view";

/** The name that stands for no model at all. */
export const PATTERNS = "patterns";

export type Running = Extract<StatusOutcome, { ok: true }>["status"]["detector"];

/** Whether `model` is the one that runs. */
export function isRunning(model: InstalledModel, running: Running): boolean {
  if (model.name === PATTERNS) return running?.format === PATTERNS;
  return running?.id === `${model.name}-${model.version}`;
}

export function megabytes({ t, language }: View, bytes: number): string {
  if (bytes === 0) return t("noFile");
  const mb = bytes / 1e6;
  return t("megabytes", { mb: new Intl.NumberFormat(language, { maximumFractionDigits: mb < 10 ? 1 : 0 }).format(mb) });
}

/** "English, Chinese" in the user's language; a detector for any text has none of its own. */
export function languageNames(language: string, codes: readonly string[]): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const nameOf = (code: string): string => {
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  };
  return codes.filter((code) => code !== "*").map(nameOf).join(", ");
}
