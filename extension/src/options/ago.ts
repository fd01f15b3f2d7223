/** How long ago something was. */
import type { View } from "./view";

const STEPS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const;

/** "3 hours ago", in the user's language. */
export function ago({ t, language }: Pick<View, "t" | "language">, at: number, now: number): string {
  const passed = Math.max(0, now - at);
  for (const [unit, ms] of STEPS) {
    if (passed >= ms) return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-Math.floor(passed / ms), unit);
  }
  return t("justNow");
}
