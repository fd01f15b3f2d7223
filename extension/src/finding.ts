/** What the daemon says about one phrase, as it comes over the wire, and the guard that lets it in. */

export const CATEGORIES = [
  "name", "contact", "address", "location", "identifier", "credential", "age", "demographic", "health",
  "mental_health", "relationship", "occupation", "employer", "business", "education", "skill", "finance", "legal",
  "belief", "opinion", "preference", "activity", "intention", "habit", "possession", "emotion",
] as const;
export type Category = (typeof CATEGORIES)[number];

export type Level = 1 | 2 | 3;

/** Why a phrase looks as it does, as data: the words for it are the extension's own, in the user's language. */
export type Reason =
  | { kind: "kind_on_site" | "kind" | "category"; accepted: number; total: number }
  | { kind: "rule"; rule: "allow" | "block"; scope: "value" | "category" | "site" };

/** Where the phrase lies relative to what this person usually keeps. */
export interface Boundary {
  look: "strong" | "soft" | "quiet";
  /** Predicted chance that the phrase is kept; null until there is something to predict from. */
  p_accept: number | null;
  /** How many earlier choices the prediction rests on. */
  evidence: number;
  why: string | null;
  reason: Reason | null;
}

/** Offsets are `[start, end)` in UTF-16 units of the text that was sent. */
export interface Finding {
  start: number;
  end: number;
  phrase: string;
  category: Category;
  subject: "user" | "related";
  granularity: Level;
  identifiability: Level;
  score: number;
  information: string;
  tier: "disclosure" | "secret" | "others";
  source: "model" | "pattern";
  boundary: Boundary;
}

const isLevel = (value: unknown): value is Level => value === 1 || value === 2 || value === 3;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isReason(value: unknown): value is Reason {
  if (!isRecord(value)) return false;
  if (value.kind === "rule") {
    return (value.rule === "allow" || value.rule === "block") && ["value", "category", "site"].includes(value.scope as string);
  }
  return (
    ["kind_on_site", "kind", "category"].includes(value.kind as string) &&
    Number.isInteger(value.accepted) &&
    Number.isInteger(value.total)
  );
}

export function isBoundary(value: unknown): value is Boundary {
  return (
    isRecord(value) &&
    (value.look === "strong" || value.look === "soft" || value.look === "quiet") &&
    (value.p_accept === null || typeof value.p_accept === "number") &&
    typeof value.evidence === "number" &&
    (value.why === null || typeof value.why === "string") &&
    (value.reason === null || isReason(value.reason))
  );
}

/** True when `value` is a finding whose offsets really cover its phrase in `text`. */
export function isFindingIn(text: string, value: unknown): value is Finding {
  return (
    isRecord(value) &&
    Number.isInteger(value.start) &&
    Number.isInteger(value.end) &&
    typeof value.phrase === "string" &&
    value.phrase.length > 0 &&
    text.slice(value.start as number, value.end as number) === value.phrase &&
    (CATEGORIES as readonly unknown[]).includes(value.category) &&
    (value.subject === "user" || value.subject === "related") &&
    isLevel(value.granularity) &&
    isLevel(value.identifiability) &&
    typeof value.score === "number" &&
    typeof value.information === "string" &&
    (value.tier === "disclosure" || value.tier === "secret" || value.tier === "others") &&
    (value.source === "model" || value.source === "pattern") &&
    isBoundary(value.boundary)
  );
}
