/** The boundary in a sentence or two, from the same numbers as the map. */
import type { NamedShare, Summary } from "./answers";
import { ENOUGH } from "./map";
import { kindWords, type Say } from "./words";

const USUALLY = 0.7;
const RARELY = 0.3;
/** So much more must be kept of what is general than of what is exact before that is said. */
const SLOPE = 0.25;
const NAMED = 2;

const shareOf = ({ accepted, total }: { accepted: number; total: number }): number => accepted / Math.max(1, total);

export function boundarySentence(t: Say, language: string, summary: Summary): string {
  if (summary.total === 0) return t("sentenceNone");
  if (summary.total < ENOUGH) return t("sentenceFew", { count: summary.total });
  const known = summary.by_category.filter((kind) => kind.total >= ENOUGH);
  const named = (kinds: readonly NamedShare[]): string =>
    new Intl.ListFormat(language, { type: "conjunction" }).format(
      kinds.slice(0, NAMED).map((kind) => (language === "de" ? kindWords(t, kind.name) : kindWords(t, kind.name).toLowerCase())),
    );
  const usually = known.filter((kind) => shareOf(kind) >= USUALLY).sort((a, b) => shareOf(b) - shareOf(a) || b.total - a.total);
  const rarely = known.filter((kind) => shareOf(kind) <= RARELY).sort((a, b) => shareOf(a) - shareOf(b) || b.total - a.total);
  const parts: string[] = [];
  if (usually.length > 0 && rarely.length > 0) parts.push(t("sentenceBoth", { kept: named(usually), rare: named(rarely) }));
  else if (usually.length > 0) parts.push(t("sentenceUsually", { kept: named(usually) }));
  else if (rarely.length > 0) parts.push(t("sentenceRarely", { rare: named(rarely) }));
  else parts.push(t("sentenceMixed", { percent: Math.round(100 * shareOf(summary)) }));

  const level = (granularity: number): { accepted: number; total: number } =>
    summary.by_cell
      .filter((cell) => cell.granularity === granularity)
      .reduce((sum, cell) => ({ accepted: sum.accepted + cell.accepted, total: sum.total + cell.total }), { accepted: 0, total: 0 });
  const [general, exact] = [level(1), level(3)];
  if (general.total >= ENOUGH && exact.total >= ENOUGH && shareOf(general) - shareOf(exact) >= SLOPE) parts.push(t("sentenceSlope"));
  return parts.join(language === "zh" ? "" : " ");
}
