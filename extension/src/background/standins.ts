/** Asks the daemon for a made-up value of the same kind. Without an answer the phrase gets a tag instead. */
import type { Category } from "../finding";
import type { PlaceholderEntry } from "../page-core/placeholders";
import { isEntries } from "../protocol";
import type { Clause } from "../wording";
import { post } from "./daemon";

const MOST_KNOWN = 400;

export async function standInsFor(clause: Clause, category: Category, known: readonly PlaceholderEntry[]): Promise<PlaceholderEntry[]> {
  const text = clause.text.replaceAll("\u00a0", " ").toWellFormed();
  const own = known.slice(-MOST_KNOWN).map(({ placeholder, value }) => ({ placeholder, value }));
  try {
    const answer = (await post("/v1/standins/make", { ...clause, text, category, known: own })) as { entries?: unknown } | null;
    return isEntries(answer?.entries) ? answer.entries : [];
  } catch {
    return [];
  }
}
