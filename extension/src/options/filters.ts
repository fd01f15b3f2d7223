/** Which choices are looked at: one row of controls for the boundary and the history. */
import { CATEGORIES } from "../finding";
import { DECISIONS, type Decision } from "../protocol";
import { element } from "../ui/element";
import { select } from "./controls";
import { kindWords, type Say, type Words } from "./words";

const DAY_MS = 86_400_000;

export interface Wanted {
  category?: string;
  site?: string;
  subject?: "user" | "related";
  decision?: Decision;
  granularity?: number;
  identifiability?: number;
  search?: string;
  /** How many days back; everything when left out. */
  days?: number;
}

/** As the daemon takes it. */
export function filterBody({ days, ...rest }: Wanted): Record<string, unknown> {
  return { ...rest, ...(days === undefined ? {} : { since: Date.now() - days * DAY_MS }) };
}

export function wantedFrom(query: URLSearchParams): Wanted {
  const wanted: Wanted = {};
  const category = query.get("category");
  const site = query.get("site");
  if (category !== null && /^[a-z_]+$/.test(category)) wanted.category = category;
  if (site !== null && site !== "") wanted.site = site;
  const levels = ["granularity", "identifiability"] as const;
  for (const name of levels) if (/^[123]$/.test(query.get(name) ?? "")) wanted[name] = Number(query.get(name));
  return wanted;
}

export const decisionWords = (t: Say, decision: Decision): string => t(`choice_${decision}`);

const DAYS: ReadonlyArray<readonly [string, Words]> = [["", "anyTime"], ["7", "lastWeek"], ["30", "lastMonth"], ["365", "lastYear"]];

interface Wish {
  withDecision: boolean;
  sites: readonly string[];
}

/** Calls `change` with the whole filter; what it does not show (a cell, a search) is kept as it was. */
export function filterRow(t: Say, start: Wanted, wish: Wish, change: (wanted: Wanted) => void): HTMLElement {
  let wanted = start;
  const put = (name: keyof Wanted, value: string | number | undefined): void => {
    const { [name]: _old, ...others } = wanted;
    wanted = (value === undefined || value === "" ? others : { ...others, [name]: value }) as Wanted;
    change(wanted);
  };
  const siteNames = [...new Set([...wish.sites, ...(start.site === undefined ? [] : [start.site])])].filter((site) => site !== "");
  const kinds = [...CATEGORIES].map((name) => [name as string, kindWords(t, name)] as const).sort((a, b) => a[1].localeCompare(b[1]));
  return element(
    "div",
    { class: "filters", role: "group", "aria-label": t("filtersLabel") },
    select({ label: t("filterKind") }, [["", t("anyKind")], ...kinds], start.category ?? "", (value) => put("category", value)),
    select({ label: t("filterSite") }, [["", t("anySite")], ...siteNames.map((site) => [site, site] as const)], start.site ?? "", (value) => put("site", value)),
    select(
      { label: t("filterWho") },
      [["", t("anyone")], ["user", t("aboutMe")], ["related", t("aboutSomeone")]],
      start.subject ?? "",
      (value) => put("subject", value),
    ),
    ...(wish.withDecision
      ? [select({ label: t("filterChoice") }, [["", t("anyChoice")], ...DECISIONS.map((name) => [name as string, decisionWords(t, name)] as const)], start.decision ?? "", (value) => put("decision", value))]
      : []),
    select({ label: t("filterTime") }, DAYS.map(([days, words]) => [days, t(words)] as const), String(start.days ?? ""), (value) =>
      put("days", value === "" ? undefined : Number(value)),
    ),
  );
}
