/** Behaviour: how careful Limen is, when it asks, what it shows. Everything applies at once and can be undone. */
import { askOwn } from "../ownPages";
import { PACES, type Pace, type Settings } from "../protocol";
import { element } from "../ui/element";
import { LANGUAGES } from "../ui/strings";
import type { ProfileSettings } from "./answers";
import { choice, panel, steps, toggle } from "./controls";
import { call, failureWords } from "./daemon";
import { looks } from "./looks";
import { say } from "./toast";
import type { Section, View } from "./view";
import type { Words } from "./words";

export const behaviour: Section = {
  id: "behaviour",
  heading: "behaviourHeading",
  help: "behaviourLead",
  needsProfile: false,
  async draw(view) {
    view.root.append(await learning(view), inThisBrowser(view), looks(view, (changed) => changeHere(view, changed)), shortcuts(view));
  },
};

/** Writes settings of the profile and says so; draws the section again where the daemon refused. */
export async function changeProfile(view: View, before: ProfileSettings, change: Partial<ProfileSettings>): Promise<void> {
  const answer = await call("/v1/profile/settings/set", change);
  if (!answer.ok) {
    say(view.t, failureWords(view.t, answer));
    view.redraw();
    return;
  }
  const old = Object.fromEntries(Object.keys(change).map((name) => [name, before[name as keyof ProfileSettings]]));
  say(view.t, view.t("saved"), () => void call("/v1/profile/settings/set", old).then(view.redraw));
}

async function learning(view: View): Promise<HTMLElement> {
  const { t } = view;
  const answer = await call("/v1/profile/settings/get");
  if (!answer.ok) {
    return panel(t("cautionLabel"), element("p", { class: "help" }, t("cautionUnavailable", { reason: failureWords(t, answer) })));
  }
  const before = answer.body;
  const level = (value: ProfileSettings["caution"], label: Words, example: Words) => ({ value, label: t(label), example: t(example) });
  return panel(
    null,
    steps(
      { id: "caution", label: t("cautionLabel"), help: t("cautionHelp") },
      [
        level("careful", "cautionCareful", "cautionCarefulExample"),
        level("balanced", "cautionBalanced", "cautionBalancedExample"),
        level("relaxed", "cautionRelaxed", "cautionRelaxedExample"),
      ],
      before.caution,
      (caution) => void changeProfile(view, before, { caution }),
    ),
    toggle({ id: "learn-from-sent", label: t("learnLabel"), help: t("learnHelp") }, before.learn_from_sent, (learn_from_sent) =>
      void changeProfile(view, before, { learn_from_sent }),
    ),
  );
}

const PACE_WORDS: Readonly<Record<Pace, Words>> = { fast: "paceFast", normal: "paceNormal", calm: "paceCalm" };

/** Writes settings of this browser, and offers the way back to what was there just before. */
function changeHere(view: View, changed: Partial<Settings>): void {
  const { t, settings } = view;
  const write = (change: Partial<Settings>): Promise<Settings> => askOwn({ kind: "WriteSettings", settings: change });
  const old = Object.fromEntries(Object.keys(changed).map((name) => [name, settings[name as keyof Settings]])) as Partial<Settings>;
  void write(changed).then((written) => {
    view.settings = written;
    if ("language" in changed) location.reload();
    else say(t, t("saved"), () => void write(old).then(view.redraw));
  });
}

function inThisBrowser(view: View): HTMLElement {
  const { t, settings } = view;
  const change = (changed: Partial<Settings>): void => changeHere(view, changed);
  const languages: Array<[Settings["language"], string]> = [["auto", t("languageAuto")], ...(Object.entries(LANGUAGES) as Array<["en" | "zh" | "de", string]>)];
  const seconds = new Intl.NumberFormat(view.language);
  const paces = (Object.keys(PACES) as Pace[]).map((pace) => [pace, t(PACE_WORDS[pace], { s: seconds.format(PACES[pace] / 1000) })] as const);
  return panel(
    t("thisBrowser"),
    choice({ id: "gate", label: t("gateLabel"), help: t("gateHelp") }, [["off", t("gateOff")], ["gentle", t("gateGentle")], ["strict", t("gateStrict")]], settings.gate, (gate) => change({ gate })),
    toggle({ id: "restore", label: t("restoreLabel"), help: t("restoreHelp") }, settings.restoresReplies, (restoresReplies) => change({ restoresReplies })),
    choice({ id: "placeholder-style", label: t("styleLabel"), help: t("styleHelp") }, [["tags", t("styleTags")], ["standins", t("styleStandins")]], settings.placeholderStyle, (placeholderStyle) => change({ placeholderStyle })),
    choice({ id: "pace", label: t("paceLabel"), help: t("paceHelp") }, paces, settings.pace, (pace) => change({ pace })),
    toggle({ id: "hidden", label: t("hiddenLabel"), help: t("hiddenHelp") }, settings.hiddenMarks, (hiddenMarks) => change({ hiddenMarks })),
    choice({ id: "language", label: t("languageLabel"), help: t("languageHelp") }, languages, settings.language, (language) => change({ language })),
  );
}

function shortcuts({ t }: View): HTMLElement {
  const entry = (keys: string, words: Words): HTMLElement[] => [element("dt", {}, element("kbd", {}, keys)), element("dd", {}, t(words))];
  return panel(
    t("shortcutsHeading"),
    element("dl", { class: "keys" }, ...entry("Alt+Shift+L", "keyNearest"), ...entry("Alt+Shift+.", "keyNext"), ...entry("Alt+Shift+,", "keyPrevious"), ...entry("1 2 3", "keyChoices"), ...entry("Esc", "keyClose")),
    element("p", { class: "help" }, t("shortcutsHelp")),
  );
}
