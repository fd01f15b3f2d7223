/** Your boundary: the map, a sentence, and how it came about over time, by kind and by site. */
import { button, element } from "../ui/element";
import type { Summary } from "./answers";
import { bars, timeLine } from "./charts";
import { panel } from "./controls";
import { call, failureWords } from "./daemon";
import { filterBody, filterRow, type Wanted } from "./filters";
import { boundaryMap, mapLegend } from "./map";
import { boundarySentence } from "./sentence";
import { addressOf, type Section, type View } from "./view";
import { kindWords } from "./words";

const SHOWN_BARS = 8;

export const boundary: Section = {
  id: "boundary",
  heading: "boundaryHeading",
  help: "boundaryHelp",
  needsProfile: true,
  async draw(view) {
    const { root, t, signal } = view;
    const whole = await call("/v1/decisions/summary");
    if (signal.aborted) return;
    if (!whole.ok) {
      root.append(element("p", { class: "bad" }, failureWords(t, whole)), button(t("tryAgain"), view.redraw));
      return;
    }
    const pictures = element("div", { class: "pictures", "aria-live": "polite" });
    let asked = 0;
    const show = async (wanted: Wanted): Promise<void> => {
      const mine = (asked += 1);
      const answer = Object.keys(wanted).length === 0 ? whole : await call("/v1/decisions/summary", filterBody(wanted));
      if (signal.aborted || mine !== asked) return;
      if (answer.ok) drawPictures(view, pictures, answer.body, wanted);
      else pictures.replaceChildren(element("p", { class: "bad" }, failureWords(t, answer)));
    };
    root.append(filterRow(t, {}, { withDecision: false, sites: whole.body.by_site.map(({ name }) => name) }, (wanted) => void show(wanted)), pictures);
    await show({});
  },
};

function drawPictures(view: View, where: HTMLElement, summary: Summary, wanted: Wanted): void {
  const { t, language } = view;
  // Links to the history carry the filters that it can show too.
  const carried: Record<string, string> = {};
  if (wanted.category !== undefined) carried.category = wanted.category;
  if (wanted.site !== undefined) carried.site = wanted.site;
  const sentence = element("p", { class: "sentence", id: "sentence" }, boundarySentence(t, language, summary));
  const map = boundaryMap(t, summary.by_cell, ({ granularity, identifiability }) =>
    addressOf("history", { ...carried, granularity: String(granularity), identifiability: String(identifiability) }),
  );
  const parts: HTMLElement[] = [element("div", { class: "panel map-panel" }, sentence, map, mapLegend(t))];
  if (summary.total === 0) {
    const begin = element("a", { class: "button", href: addressOf("calibrate") }, t("boundaryCalibrate"));
    parts.push(element("p", { class: "row" }, begin));
  }
  if (summary.by_month.length > 0) {
    parts.push(panel(t("overTime"), element("p", { class: "help" }, t("overTimeHelp")), timeLine(t, language, summary.by_month, view.signal)));
  }
  if (summary.by_category.length > 0) {
    parts.push(
      panel(
        t("byKind"),
        ...shortened(view, (count) =>
          bars(t, t("byKind"), summary.by_category.slice(0, count), (name) => kindWords(t, name), (category) => addressOf("history", { ...carried, category })),
          summary.by_category.length,
        ),
      ),
    );
  }
  const bySite = summary.by_site.filter(({ name }) => name !== "");
  if (bySite.length > 0) {
    parts.push(
      panel(
        t("bySite"),
        ...shortened(view, (count) => bars(t, t("bySite"), bySite.slice(0, count), (name) => name, (site) => addressOf("history", { ...carried, site })), bySite.length),
      ),
    );
  }
  where.replaceChildren(...parts);
}

/** The first few bars, and a way to the others. */
function shortened(view: View, draw: (count: number) => HTMLElement, count: number): HTMLElement[] {
  const shown = draw(SHOWN_BARS);
  if (count <= SHOWN_BARS) return [shown];
  const more = button(view.t("showAll", { count }), () => {
    shown.replaceWith(draw(count));
    more.remove();
  });
  return [shown, more];
}
