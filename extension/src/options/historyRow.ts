/** One row of the history: when, what it was and told, where, what was chosen, and what was predicted then. */
import { DECISIONS, type Decision } from "../protocol";
import { button, element } from "../ui/element";
import type { DecisionItem } from "./answers";
import { select } from "./controls";
import { decisionWords } from "./filters";
import { kindWords, type Say } from "./words";

/** Choices that let the phrase through. */
export const LET_GO: readonly Decision[] = ["kept", "allowed_always", "dismissed", "sent"];

export interface RowActions {
  isChosen(id: number): boolean;
  choose(id: number, isChosen: boolean): void;
  edit(item: DecisionItem, decision: Decision): void;
  remove(item: DecisionItem): void;
}

export class Days {
  readonly #day: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #relative: Intl.RelativeTimeFormat;

  constructor(language: string) {
    this.#day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
    this.#time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  }

  /** "Today", "Yesterday", or the date. */
  day(at: number): string {
    const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
    const ago = Math.round((midnight(Date.now()) - midnight(at)) / 86_400_000);
    if (ago !== 0 && ago !== 1) return this.#day.format(at);
    const words = this.#relative.format(-ago, "day");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  time(at: number): string {
    return this.#time.format(at);
  }
}

/** `isFirstOfDay`: the row carries the day's name. */
export function historyRow(t: Say, days: Days, item: DecisionItem, isFirstOfDay: boolean, actions: RowActions): HTMLElement {
  const kind = kindWords(t, item.category);
  const name = item.phrase ?? t("removedPhrase", { kind });
  const box = element("input", { type: "checkbox", checked: actions.isChosen(item.id), "aria-label": t("chooseRow", { phrase: name }) });
  box.addEventListener("change", () => actions.choose(item.id, box.checked));
  const choice = select(
    { label: t("choiceFor", { phrase: name }) },
    DECISIONS.map((decision) => [decision, decisionWords(t, decision)] as const),
    item.decision,
    (decision) => actions.edit(item, decision),
  );
  choice.dataset.decision = item.decision;
  const meta = [
    item.phrase === null ? "" : kind,
    item.subject === "related" ? t("aboutClose") : "",
    item.site,
    item.p_accept === null ? "" : t("predictedThen", { percent: Math.round(100 * item.p_accept) }),
  ].filter((part) => part !== "");
  const row = element(
    "div",
    { class: LET_GO.includes(item.decision) ? "row-inside let-go" : "row-inside", "data-id": String(item.id) },
    element("div", { class: "when" }, element("span", { class: "day" }, isFirstOfDay ? days.day(item.at) : ""), element("time", { datetime: new Date(item.at).toISOString() }, days.time(item.at))),
    element("label", { class: "pick" }, box),
    element(
      "div",
      { class: "what" },
      element("div", { class: item.phrase === null ? "phrase removed" : "phrase", title: name }, name),
      ...(item.information === null ? [] : [element("div", { class: "tells", title: item.information }, item.information)]),
      element("div", { class: "meta" }, meta.join(" · ")),
    ),
    choice,
    button("✕", () => actions.remove(item), { class: "quiet", "aria-label": t("deleteRow", { phrase: name }), title: t("deleteOne") }),
  );
  return row;
}
