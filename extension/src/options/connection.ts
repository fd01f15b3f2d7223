/** Connecting this browser to the daemon: the command to run, a field for its code, and what came of it. */
import type { askOwn } from "../ownPages";
import type { ConnectFault, StatusOutcome } from "../protocol";
import { button, element } from "../ui/element";
import type { StringKey, Translate } from "../ui/strings";

const FAULTS: Readonly<Record<ConnectFault, StringKey>> = {
  code_malformed: "connectMalformed",
  code_wrong: "connectWrong",
  pairing_closed: "connectClosed",
  impostor: "connectImpostor",
  daemon_down: "connectDown",
  token_refused: "connectRefused",
  refused: "connectClosed",
};

export function connectionSection(t: Translate, ask: typeof askOwn): HTMLElement {
  const token = element("input", {
    type: "text", id: "token", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true, "aria-describedby": "token-help",
  });
  const result = element("output", { id: "connection-result", role: "status" });
  const tryIt = element("a", { href: "../tryit/tryit.html", id: "try-it", hidden: true }, t("tryOpen"));
  const say = (message: string, isBad: boolean, isConnected = false): void => {
    result.textContent = message;
    result.className = isBad ? "bad" : "good";
    tryIt.hidden = !isConnected;
  };
  const tellStatus = (outcome: StatusOutcome): void => {
    if (outcome.ok) say(t("connected", { version: outcome.status.version }), false, true);
    else if (outcome.code === "daemon_down") say(t("connectDown"), true);
  };
  const form = element(
    "form",
    {},
    element("p", {}, t("connectHelp"), " ", element("code", {}, "limen pair")),
    element("label", { for: "token" }, t("tokenLabel"), token),
    element("p", { class: "help", id: "token-help" }, t("tokenHelp")),
    element(
      "div",
      { class: "row" },
      element("button", { type: "submit" }, t("connect")),
      button(t("disconnect"), () => void ask({ kind: "Disconnect" }).then(() => say(t("disconnected"), false))),
    ),
    result,
    tryIt,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(t("connecting"), false);
    void ask({ kind: "Connect", code: token.value }).then((outcome) => {
      if (outcome.ok) {
        token.value = "";
        say(t("connected", { version: outcome.status.version }), false, true);
      } else {
        say(t(FAULTS[outcome.fault], { left: outcome.left ?? 0 }), true);
      }
    });
  });
  void ask({ kind: "ReadStatus" }).then(tellStatus);
  return element("section", { "aria-labelledby": "connection" }, element("h2", { id: "connection" }, t("connectHeading")), form);
}
