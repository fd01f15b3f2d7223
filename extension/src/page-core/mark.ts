/** A finding placed in a text field: the same phrase, with offsets in the whole field's text. */
import type { Finding } from "../finding";

export type Look = "strong" | "soft" | "secret" | "others" | "quiet";

export interface Mark {
  /** Stable while the mark lives, so that an open card can follow it through edits. */
  readonly id: number;
  /** `[start, end)` in UTF-16 units of the field's text. */
  start: number;
  end: number;
  readonly finding: Finding;
  look: Look;
}

let lastId = 0;

export function makeMark(finding: Finding, offset: number): Mark {
  lastId += 1;
  return { id: lastId, start: finding.start + offset, end: finding.end + offset, finding, look: lookOf(finding) };
}

/** The daemon's boundary decides, except that a secret and someone else's details keep a look of their own. */
export function lookOf(finding: Finding): Look {
  if (finding.boundary.look === "quiet") return "quiet";
  if (finding.tier === "secret") return "secret";
  if (finding.tier === "others") return "others";
  return finding.boundary.look;
}
