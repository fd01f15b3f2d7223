/** How Limen behaves in this browser: language, the question before sending, replies, hidden marks. Applies at once. */
import type { askOwn } from "../ownPages";
import type { Settings } from "../protocol";
import { element } from "../ui/element";
import { LANGUAGES, type StringKey, type Translate } from "../ui/strings";

type Change = (settings: Partial<Settings>) => void;

function choice(
  id: string,
  t: Translate,
  label: StringKey,
  help: StringKey,
  options: ReadonlyArray<readonly [string, string]>,
  value: string,
  change: (value: string) => void,
): HTMLElement {
  const select = element("select", { id, "aria-describedby": `${id}-help` });
  for (const [name, words] of options) select.append(element("option", { value: name, selected: name === value }, words));
  select.addEventListener("change", () => change(select.value));
  return element(
    "div",
    { class: "setting" },
    element("label", { for: id }, t(label)),
    select,
    element("p", { class: "help", id: `${id}-help` }, t(help)),
  );
}

function toggle(
  id: string,
  t: Translate,
  label: StringKey,
  help: StringKey,
  value: boolean,
  change: (value: boolean) => void,
): HTMLElement {
  const box = element("input", { type: "checkbox", id, checked: value, "aria-describedby": `${id}-help` });
  box.addEventListener("change", () => change(box.checked));
  return element(
    "div",
    { class: "setting" },
    element("label", { for: id, class: "toggle" }, box, t(label)),
    element("p", { class: "help", id: `${id}-help` }, t(help)),
  );
}

export function behaviourSection(t: Translate, ask: typeof askOwn, settings: Settings): HTMLElement {
  const said = element("output", { role: "status" });
  const change: Change = (changed) => {
    void ask({ kind: "WriteSettings", settings: changed }).then(() => {
      if ("language" in changed) location.reload();
      else said.textContent = t("saved");
    });
  };
  const languages: Array<[string, string]> = [["auto", t("languageAuto")], ...Object.entries(LANGUAGES)];
  const gates: Array<[Settings["gate"], string]> = [
    ["off", t("gateOff")],
    ["gentle", t("gateGentle")],
    ["strict", t("gateStrict")],
  ];
  return element(
    "section",
    { "aria-labelledby": "behaviour" },
    element("h2", { id: "behaviour" }, t("behaviourHeading")),
    choice("language", t, "languageLabel", "languageHelp", languages, settings.language, (language) =>
      change({ language: language as Settings["language"] }),
    ),
    choice("gate", t, "gateLabel", "gateHelp", gates, settings.gate, (gate) => change({ gate: gate as Settings["gate"] })),
    toggle("restore", t, "restoreLabel", "restoreHelp", settings.restoresReplies, (restoresReplies) =>
      change({ restoresReplies }),
    ),
    toggle("hidden", t, "hiddenLabel", "hiddenHelp", settings.hiddenMarks, (hiddenMarks) => change({ hiddenMarks })),
    said,
  );
}
