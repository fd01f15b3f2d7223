/** Calibrate: eight short situations; the wordings that the user would send give Limen a start. */
import { button, element } from "../ui/element";
import type { Calibration, CellShare, Situation } from "./answers";
import { panel } from "./controls";
import { call, failureWords } from "./daemon";
import { boundaryMap, mapLegend } from "./map";
import { addressOf, type Section, type View } from "./view";
import { situationIn } from "./words/situations";

export const calibrate: Section = {
  id: "calibrate",
  heading: "calibrateHeading",
  help: "calibrateHelp",
  needsProfile: true,
  async draw(view) {
    const { root, t, signal } = view;
    const answer = await call("/v1/profile/calibration/get");
    if (signal.aborted) return;
    if (answer.ok) new Questions(view, answer.body).draw();
    else root.append(element("p", { class: "bad" }, failureWords(t, answer)), button(t("tryAgain"), view.redraw));
  },
};

class Questions {
  readonly #view: View;
  readonly #box = element("div", {});
  #state: Calibration;
  /** What was answered since the section was opened; the daemon does not repeat answers. */
  readonly #cells: CellShare[] = [];

  constructor(view: View, state: Calibration) {
    this.#view = view;
    this.#state = state;
    view.root.append(this.#box);
  }

  draw(): void {
    const { next, answered, total } = this.#state;
    this.#box.replaceChildren(this.#dots(answered.length, total), next ? this.#question(next) : this.#result());
  }

  #dots(done: number, total: number): HTMLElement {
    const { t } = this.#view;
    const dots = Array.from({ length: total }, (_, index) =>
      element("span", { class: index < done ? "dot done" : index === done ? "dot now" : "dot" }),
    );
    return element(
      "div",
      { class: "dots", role: "progressbar", "aria-label": t("calibrateProgress"), "aria-valuenow": String(done), "aria-valuemin": "0", "aria-valuemax": String(total) },
      ...dots,
      element("span", { class: "help" }, t("calibrateCount", { done, total })),
    );
  }

  #question(original: Situation): HTMLElement {
    const { t, language } = this.#view;
    const situation = situationIn(language, original);
    const boxes = situation.wordings.map((wording) => element("input", { type: "checkbox", id: `wording-${wording.id}`, value: wording.id }));
    const said = element("output", { role: "status" });
    const form = element(
      "form",
      { class: "panel situation", "data-situation": situation.id },
      element("h3", {}, situation.title),
      element("p", { class: "scene" }, situation.scene),
      element(
        "fieldset",
        {},
        element("legend", {}, t("calibrateWhich")),
        ...situation.wordings.map((wording, index) => element("label", { class: "wording" }, boxes[index]!, element("span", {}, wording.text))),
      ),
      element("p", { class: "help" }, t("calibrateNone")),
      element(
        "div",
        { class: "row" },
        element("button", { type: "submit", class: "main" }, t("calibrateNext")),
        element("a", { class: "button", href: addressOf("boundary") }, t("calibrateLater")),
        said,
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const sent = boxes.filter((box) => box.checked).map((box) => box.value);
      void call("/v1/profile/calibration/answer", { situation: situation.id, sent }).then((answer) => {
        if (!answer.ok) {
          said.className = "bad";
          said.textContent = failureWords(t, answer);
          return;
        }
        for (const { id, granularity, identifiability } of situation.wordings) this.#count(granularity, identifiability, sent.includes(id));
        this.#state = answer.body;
        this.draw();
        this.#box.querySelector<HTMLElement>("input, button")?.focus();
      });
    });
    return form;
  }

  #count(granularity: number, identifiability: number, isSent: boolean): void {
    let cell = this.#cells.find((one) => one.granularity === granularity && one.identifiability === identifiability);
    if (!cell) {
      cell = { granularity, identifiability, accepted: 0, total: 0 };
      this.#cells.push(cell);
    }
    cell.total += 1;
    cell.accepted += isSent ? 1 : 0;
  }

  #result(): HTMLElement {
    const { t } = this.#view;
    const again = button(t("calibrateAgain"), () => {
      void call("/v1/profile/calibration/forget").then((answer) => {
        if (answer.ok) this.#view.redraw();
        else again.after(element("p", { class: "bad", role: "status" }, failureWords(t, answer)));
      });
    });
    return panel(
      t("calibrateDone"),
      element("p", {}, t(this.#cells.length > 0 ? "calibrateStart" : "calibrateStartKnown")),
      ...(this.#cells.length > 0 ? [boundaryMap(t, this.#cells, () => null), mapLegend(t)] : []),
      element("div", { class: "row" }, element("a", { class: "button main", href: addressOf("boundary") }, t("boundaryHeading")), again),
    );
  }
}
