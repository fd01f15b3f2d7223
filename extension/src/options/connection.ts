/** Connecting this browser to the daemon: the command to run, a field for its code, and what came of it. */
import type { askOwn } from "../ownPages";
import type { StatusOutcome } from "../protocol";
import { button, element } from "../ui/element";
import type { Translate } from "../ui/strings";

export function connectionSection(t: Translate, ask: typeof askOwn): HTMLElement {
  const token = element("input", {
    type: "password", id: "token", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "token-help",
  });
  const result = element("output", { id: "connection-result", role: "status" });
  const say = (message: string, isBad: boolean): void => {
    result.textContent = message;
    result.className = isBad ? "bad" : "good";
  };
  const tell = (outcome: StatusOutcome): void => {
    if (outcome.ok) say(t("connected", { version: outcome.status.version }), false);
    else say(t(outcome.code === "daemon_down" ? "connectDown" : outcome.code === "not_paired" ? "connectRefused" : "stateFailed"), true);
  };
  const form = element(
    "form",
    {},
    element("p", {}, t("connectHelp"), " ", element("code", {}, "limen token")),
    element("label", { for: "token" }, t("tokenLabel"), token),
    element("p", { class: "help", id: "token-help" }, t("tokenHelp")),
    element(
      "div",
      { class: "row" },
      element("button", { type: "submit" }, t("connect")),
      button(t("disconnect"), () => void ask({ kind: "Disconnect" }).then(() => say(t("disconnected"), false))),
    ),
    result,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask({ kind: "Connect", token: token.value }).then((outcome) => {
      if (outcome.ok) token.value = "";
      tell(outcome);
    });
  });
  void ask({ kind: "ReadStatus" }).then((outcome) => {
    if (outcome.ok || outcome.code !== "not_paired") tell(outcome);
  });
  return element("section", { "aria-labelledby": "connection" }, element("h2", { id: "connection" }, t("connectHeading")), form);
}
