/** History: every choice, newest first; searched, filtered, corrected, deleted. */
import { DECISIONS, type Decision } from "../protocol";
import { button, element } from "../ui/element";
import type { DecisionItem } from "./answers";
import { textField } from "./controls";
import { call, failureWords } from "./daemon";
import { decisionWords, filterBody, filterRow, wantedFrom, type Wanted } from "./filters";
import { HistoryPages } from "./historyPages";
import { Days, historyRow, LET_GO } from "./historyRow";
import { COLUMN_WORDS, ROW_WORDS } from "./map";
import { putOff, say } from "./toast";
import { addressOf, type Section, type View } from "./view";
import { VirtualList } from "./virtualList";

const SEARCH_PAUSE_MS = 250;

export const history: Section = {
  id: "history",
  heading: "historyHeading",
  help: "historyHelp",
  needsProfile: true,
  async draw(view) {
    const { t } = view;
    const sites = await call("/v1/decisions/summary");
    if (view.signal.aborted) return;
    new History(view, sites.ok ? sites.body.by_site.map(({ name }) => name) : []).draw();
    document.title = `${t("historyHeading")} · ${t("optionsTitle")}`;
  },
};

class History {
  readonly #view: View;
  readonly #sites: readonly string[];
  readonly #days: Days;
  readonly #chosen = new Set<number>();
  readonly #count = element("p", { class: "help", id: "history-count", role: "status" });
  readonly #bar = element("div", { class: "selection", hidden: true });
  readonly #note = element("div", {});
  readonly #list: VirtualList;
  #wanted: Wanted;
  #pages: HistoryPages;

  constructor(view: View, sites: readonly string[]) {
    this.#view = view;
    this.#sites = sites;
    this.#days = new Days(view.language);
    this.#wanted = wantedFrom(view.query);
    this.#pages = new HistoryPages({}, () => undefined);
    this.#list = new VirtualList((index) => this.#row(index), (first, last) => void this.#pages.want(first, last), view.signal);
  }

  draw(): void {
    const { t, root } = this.#view;
    const search = textField(t("searchLabel"), { type: "search", id: "search", maxlength: "200" });
    search.row.classList.add("search");
    let timer = 0;
    search.input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const { search: _old, ...others } = this.#wanted;
        const words = search.input.value.trim();
        this.#change(words === "" ? others : { ...others, search: words });
      }, SEARCH_PAUSE_MS);
    });
    const filters = filterRow(t, this.#wanted, { withDecision: true, sites: this.#sites }, ({ search: _none, ...wanted }) => {
      const words = this.#wanted.search;
      this.#change(words === undefined ? wanted : { ...wanted, search: words });
    });
    root.append(search.row, filters, ...this.#cellNote(), this.#count, this.#bar, this.#note, this.#list.root);
    void this.#load();
  }

  /** The cell of the map that was followed here. */
  #cellNote(): HTMLElement[] {
    const { t } = this.#view;
    const { granularity, identifiability } = this.#wanted;
    if (granularity === undefined || identifiability === undefined) return [];
    const words = t("cellFilter", { detail: t(ROW_WORDS[granularity]!), identifies: t(COLUMN_WORDS[identifiability]!) });
    return [element("p", { class: "chip" }, words, " ", element("a", { href: addressOf("history") }, t("showEverything")))];
  }

  #change(wanted: Wanted): void {
    this.#wanted = wanted;
    void this.#load();
  }

  async #load(): Promise<void> {
    this.#chosen.clear();
    this.#drawBar();
    const pages = new HistoryPages(filterBody(this.#wanted), () => {
      if (this.#pages === pages) this.#list.fill();
    });
    this.#pages = pages;
    await pages.want(0, 0);
    if (this.#view.signal.aborted || this.#pages !== pages) return;
    this.#drawCount();
    this.#list.update(pages.total);
  }

  #drawCount(): void {
    const { t, language } = this.#view;
    const { total, failure } = this.#pages;
    this.#note.replaceChildren();
    this.#count.textContent = failure ? "" : t(total === 1 ? "choicesOne" : "choicesMany", { count: new Intl.NumberFormat(language).format(total) });
    if (failure) {
      this.#note.append(element("p", { class: "bad" }, failureWords(t, failure)), button(t("tryAgain"), () => void this.#load()));
    } else if (total === 0) {
      const isFiltered = Object.keys(this.#wanted).length > 0;
      this.#note.append(element("p", { class: "empty" }, t(isFiltered ? "historyNoMatch" : "historyEmpty")));
    }
  }

  #row(index: number): HTMLElement | null {
    const item = this.#pages.item(index);
    if (!item) return null;
    const before = index === 0 ? undefined : this.#pages.item(index - 1);
    const isFirstOfDay = before === undefined || this.#days.day(before.at) !== this.#days.day(item.at);
    return historyRow(this.#view.t, this.#days, item, isFirstOfDay, {
      isChosen: (id) => this.#chosen.has(id),
      choose: (id, isChosen) => {
        if (isChosen) this.#chosen.add(id);
        else this.#chosen.delete(id);
        this.#drawBar();
      },
      edit: (one, decision) => this.#edit(one, decision),
      remove: (one) => this.#remove([one.id]),
    });
  }

  #drawBar(): void {
    const { t } = this.#view;
    const count = this.#chosen.size;
    this.#bar.hidden = count === 0;
    const all = button(t("deleteAllMatching", { count: this.#pages.total }), () => this.#removeAll());
    this.#bar.replaceChildren(
      element("span", { role: "status" }, t(count === 1 ? "chosenOne" : "chosenMany", { count })),
      button(t("deleteChosen"), () => this.#remove([...this.#chosen]), { class: "main" }),
      ...(this.#pages.total > count ? [all] : []),
      button(t("chooseNone"), () => {
        this.#chosen.clear();
        this.#drawBar();
        this.#list.update(this.#pages.total);
      }),
    );
  }

  #remove(ids: number[]): void {
    const { t } = this.#view;
    this.#putOffDeletion(t(ids.length === 1 ? "willDeleteOne" : "willDeleteMany", { count: ids.length }), { ids });
  }

  #removeAll(): void {
    const { t } = this.#view;
    // Choices that are made meanwhile are not meant.
    const filter = { until: Date.now() + 1, ...filterBody(this.#wanted) };
    this.#putOffDeletion(t("willDeleteMany", { count: this.#pages.total }), { filter });
  }

  #putOffDeletion(words: string, body: Record<string, unknown>): void {
    const { t } = this.#view;
    putOff(t, words, (isDone) => {
      if (!isDone) return;
      void call("/v1/decisions/delete", body).then((answer) => {
        if (answer.ok) say(t, t(answer.body.deleted === 1 ? "deletedOne" : "deletedMany", { count: answer.body.deleted }));
        else say(t, failureWords(t, answer));
        if (!this.#view.signal.aborted) void this.#load();
      });
    });
  }

  /** A phrase that turns out rejected is forgotten for good, so that is put off; anything else is done and can be undone. */
  #edit(item: DecisionItem, decision: Decision): void {
    const { t } = this.#view;
    const isForgetting = item.phrase !== null && !LET_GO.includes(decision);
    const words = { choice: decisionWords(t, decision) };
    const redraw = (): void => {
      if (!this.#view.signal.aborted) this.#list.update(this.#pages.total);
    };
    const send = async (to: Decision): Promise<boolean> => {
      const answer = await call("/v1/decisions/edit", { id: item.id, decision: to });
      if (answer.ok) this.#pages.replace(answer.body);
      else say(t, failureWords(t, answer));
      redraw();
      return answer.ok;
    };
    if (!DECISIONS.includes(decision)) return;
    if (isForgetting) {
      putOff(t, t("willForget", words), (isDone) => {
        if (isDone) void send(decision);
        else redraw();
      });
      return;
    }
    void send(decision).then((isDone) => {
      if (isDone) say(t, t("changedTo", words), () => void send(item.decision));
    });
  }
}
