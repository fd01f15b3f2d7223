/** Before anything of the profile is shown: is it there and open? If not, what is the matter and what to do about it. */
import { askOwn } from "../ownPages";
import { button, element } from "../ui/element";
import type { ProfileStatus } from "./answers";
import { textField } from "./controls";
import { call, failureWords, wordsFor } from "./daemon";
import { addressOf, type View } from "./view";

interface Notice {
  title: string;
  lines: ReadonlyArray<Node | string>;
  actions: ReadonlyArray<Node>;
}

function draw(view: View, { title, lines, actions }: Notice): void {
  view.root.append(
    element(
      "div",
      { class: "notice", role: "status" },
      element("h3", {}, title),
      ...lines.map((line) => element("p", {}, line)),
      element("div", { class: "row" }, ...actions),
    ),
  );
}

/** True when the profile is open; otherwise a notice has been drawn. A pause is said, and does not close it. */
export async function isProfileOpen(view: View): Promise<boolean> {
  const { t } = view;
  const again = (): HTMLElement => button(t("tryAgain"), view.redraw);
  const answer = await call("/v1/profile/status");
  if (view.signal.aborted) return false;
  if (!answer.ok) {
    if (answer.code === "not_paired") {
      const way = element("a", { href: addressOf("connection"), class: "button main" }, t("actionConnect"));
      draw(view, { title: t("stateNotPaired"), lines: [t("gateNotPairedHelp")], actions: [way] });
    } else if (answer.code === "daemon_down" && answer.error !== "impostor") {
      draw(view, { title: t("gateDown"), lines: [command(t("gateDownHelp"), "limen up")], actions: [again()] });
    } else {
      draw(view, { title: t("gateFailed"), lines: [failureWords(t, answer)], actions: [again()] });
    }
    return false;
  }
  const status = answer.body;
  if (status.mode === "off") drawOff(view, status);
  else if (status.mode === "locked") drawLocked(view, status);
  else if (status.mode === "paused") drawPaused(view, status);
  return status.mode === "on" || status.mode === "paused";
}

function command(words: string, typed: string): Node {
  return element("span", {}, words, " ", element("code", {}, typed));
}

function drawOff(view: View, status: ProfileStatus): void {
  const { t } = view;
  const said = element("output", { role: "status" });
  const start = button(t("startProfile"), () => {
    void call("/v1/profile/start").then((answer) => {
      if (answer.ok) view.redraw();
      else say(failureWords(t, answer));
    });
  }, { class: "main" });
  const say = (words: string): void => {
    said.className = "bad";
    said.textContent = words;
  };
  if (status.problem !== null && status.problem !== "profile_off") say(t(wordsFor(status.problem, "profile_off")));
  draw(view, {
    title: t("gateProfileOff"),
    lines: [t("gateOffHelp"), command(t("gateOffOther"), "limen profile init --help"), said],
    actions: [start, button(t("tryAgain"), view.redraw)],
  });
}

function drawLocked(view: View, status: ProfileStatus): void {
  const { t } = view;
  const said = element("output", { role: "status" });
  if (status.problem !== null && status.problem !== "profile_locked") said.textContent = t(wordsFor(status.problem, "profile_locked"));
  const unlock = (body: Record<string, unknown>): void => {
    void call("/v1/profile/unlock", body).then((answer) => {
      if (answer.ok) view.redraw();
      else {
        said.className = "bad";
        said.textContent = failureWords(t, answer);
      }
    });
  };
  if (status.holder !== "passphrase") {
    draw(view, {
      title: t("gateLocked"),
      lines: [t("gateLockedHelp"), said],
      actions: [button(t("unlockAgain"), () => unlock({}), { class: "main" })],
    });
    return;
  }
  const field = textField(t("passphrase"), { type: "password", required: true, autocomplete: "current-password" });
  const form = element("form", { class: "grow" }, field.row, element("div", { class: "row" }, element("button", { type: "submit" }, t("unlock"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    unlock({ passphrase: field.input.value });
    field.input.value = "";
  });
  draw(view, { title: t("gateLocked"), lines: [t("gateLockedPassphrase"), said], actions: [form] });
}

function drawPaused(view: View, status: ProfileStatus): void {
  const { t } = view;
  const until = new Intl.DateTimeFormat(view.language, { dateStyle: "medium", timeStyle: "short" }).format(status.paused_until ?? Date.now());
  const resume = button(t("actionResume"), () => {
    void call("/v1/profile/pause", { minutes: 0 }).then(view.redraw);
  });
  view.root.append(element("div", { class: "banner", role: "status" }, element("span", {}, t("recordingPaused", { until })), resume));
}

/** Whether the first thing to do is to connect. */
export async function isConnected(): Promise<boolean> {
  const outcome = await askOwn({ kind: "ReadStatus" });
  return outcome.ok || outcome.code !== "not_paired";
}
