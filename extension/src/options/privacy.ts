/** Privacy: what is stored, for how long, a pause, and the profile as a file: out, in, away. */
import { button, element } from "../ui/element";
import type { ProfileSettings } from "./answers";
import { changeProfile } from "./behaviour";
import { choice, panel } from "./controls";
import { call, failureWords } from "./daemon";
import { erasePanel, exportPanel, importPanel } from "./profileFile";
import type { Section, View } from "./view";
import type { Words } from "./words";

const STORED: readonly Words[] = ["storedKept", "storedRejected", "storedText", "storedWhere", "storedFor"];
const PAUSES: ReadonlyArray<readonly [minutes: number, words: Words]> = [[30, "pauseHalfHour"], [480, "pauseWorkday"], [7 * 24 * 60, "pauseWeek"]];

export const privacy: Section = {
  id: "privacy",
  heading: "privacyHeading",
  help: "privacyHelp",
  needsProfile: true,
  async draw(view) {
    const { root, t, signal } = view;
    const answer = await call("/v1/profile/settings/get");
    if (signal.aborted) return;
    root.append(panel(t("storedHeading"), element("ul", { class: "stored" }, ...STORED.map((words) => element("li", {}, t(words))))));
    if (answer.ok) root.append(retention(view, answer.body), pause(view));
    else root.append(element("p", { class: "bad", role: "status" }, failureWords(t, answer)));
    root.append(exportPanel(view), importPanel(view), erasePanel(view));
  },
};

function retention(view: View, before: ProfileSettings): HTMLElement {
  const { t } = view;
  const days = (choices: readonly number[], now: number | null, never: Words | null): Array<[string, string]> => [
    ...[...new Set([...choices, ...(now === null ? [] : [now])])].sort((a, b) => a - b).map((count): [string, string] => [String(count), t("daysMany", { count })]),
    ...(never === null ? [] : [["", t(never)] as [string, string]]),
  ];
  const number = (value: string): number | null => (value === "" ? null : Number(value));
  const shown = (value: number | null): string => (value === null ? "" : String(value));
  return panel(
    t("retentionHeading"),
    choice({ id: "retention", label: t("retentionLabel"), help: t("retentionHelp") }, days([30, 90, 180, 365, 730], before.retention_days, "keepForever"), shown(before.retention_days), (value) =>
      void changeProfile(view, before, { retention_days: number(value) }),
    ),
    choice({ id: "half-life", label: t("halfLifeLabel"), help: t("halfLifeHelp") }, days([30, 90, 180, 365], before.half_life_days, "neverFades"), shown(before.half_life_days), (value) =>
      void changeProfile(view, before, { half_life_days: number(value) }),
    ),
    choice({ id: "placeholder-days", label: t("placeholderLabel"), help: t("placeholderHelp") }, days([1, 7, 30, 90], before.placeholder_days, null), shown(before.placeholder_days), (value) =>
      void changeProfile(view, before, { placeholder_days: Number(value) }),
    ),
  );
}

function pause(view: View): HTMLElement {
  const { t } = view;
  const said = element("output", { role: "status" });
  const start = (minutes: number): void => {
    void call("/v1/profile/pause", { minutes }).then((answer) => {
      if (answer.ok) view.redraw();
      else said.textContent = failureWords(t, answer);
    });
  };
  return panel(
    t("pauseHeading"),
    element("p", { class: "help" }, t("pauseHelp")),
    element("div", { class: "row" }, ...PAUSES.map(([minutes, words]) => button(t(words), () => start(minutes))), said),
  );
}
