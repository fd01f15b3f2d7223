/** How the user wants marks to be drawn: which lines, how strong, in what light. */
import type { Look } from "./mark";

/** Quiet marks have no line at all. */
export type Drawn = Exclude<Look, "quiet">;
export const DRAWN = ["strong", "soft", "secret", "others"] as const satisfies readonly Drawn[];

/** "faint" is the same kind of line, thinner: what it means is still told by its form. */
export const LINES = ["full", "faint", "none"] as const;
export type Line = (typeof LINES)[number];

export const SCHEMES = ["auto", "light", "dark"] as const;
/** "auto": by what is painted behind the field. */
export type Scheme = (typeof SCHEMES)[number];

export interface MarkStyle {
  lines: Record<Drawn, Line>;
  scheme: Scheme;
  isHighContrast: boolean;
}

export const DEFAULT_STYLE: MarkStyle = {
  lines: { strong: "full", soft: "full", secret: "full", others: "full" },
  scheme: "auto",
  isHighContrast: false,
};
