/** Asks the daemon how a phrase can be said less exactly. Without an answer the user's own wording is still there. */
import type { Finding } from "../finding";
import { readWordings, type Clause, type Wording } from "../wording";
import { post } from "./daemon";

export async function wordingsFor(clause: Clause, finding: Finding): Promise<Wording[]> {
  const { category, subject, granularity, identifiability } = finding;
  // Editors use no-break spaces for layout, and half a surrogate pair is not accepted; the length stays the same.
  const text = clause.text.replaceAll("\u00a0", " ").toWellFormed();
  try {
    return readWordings(clause, await post("/v1/generalize", { ...clause, text, category, subject, granularity, identifiability }));
  } catch {
    return [];
  }
}
