/** Connection: the command to run, a field for its code, what came of it, and a test that names the broken link. */
import { askOwn } from "../ownPages";
import type { ConnectFault, StatusOutcome } from "../protocol";
import { button, element } from "../ui/element";
import { panel, result, textField } from "./controls";
import { pairedBrowsers } from "./pairedBrowsers";
import { selfTest } from "./selfTest";
import type { Section } from "./view";
import type { Words } from "./words";

const FAULTS: Readonly<Record<ConnectFault, Words>> = {
  code_malformed: "connectMalformed",
  code_wrong: "connectWrong",
  pairing_closed: "connectClosed",
  impostor: "connectImpostor",
  daemon_down: "connectDown",
  refused: "connectRefused",
};

export const connection: Section = {
  id: "connection",
  heading: "connectHeading",
  help: "connectLead",
  needsProfile: false,
  draw(view) {
    const { root, t } = view;
    const code = textField(t("codeLabel"), { id: "code", autocapitalize: "characters", spellcheck: "false", required: true, placeholder: "K7Q2M-9XR4D" }, t("codeHelp"));
    const said = result({ id: "connection-result" });
    const tryIt = element("a", { href: "../tryit/tryit.html", id: "try-it", class: "button", hidden: true }, t("tryOpen"));
    const say = (message: string, isBad: boolean, isConnected = false): void => {
      said.textContent = message;
      said.className = isBad ? "bad" : "good";
      tryIt.hidden = !isConnected;
    };
    const browsers = element("div", {});
    const showBrowsers = (): void => void pairedBrowsers(view).then((found) => browsers.replaceChildren(...found));
    const tellStatus = (outcome: StatusOutcome): void => {
      if (outcome.ok) say(t("connected", { version: outcome.status.version }), false, true);
      else if (outcome.code === "daemon_down") say(t("connectDown"), true);
    };
    const form = element(
      "form",
      { id: "connect" },
      element("p", {}, t("connectHelp"), " ", element("code", {}, "limen pair")),
      code.row,
      element(
        "div",
        { class: "row" },
        element("button", { type: "submit", class: "main" }, t("connect")),
        button(t("disconnect"), () => void askOwn({ kind: "Disconnect" }).then(() => { say(t("disconnected"), false); showBrowsers(); })),
        tryIt,
      ),
      said,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      say(t("connecting"), false);
      void askOwn({ kind: "Connect", code: code.input.value }).then((outcome) => {
        if (outcome.ok) {
          code.input.value = "";
          say(t("connected", { version: outcome.status.version }), false, true);
          showBrowsers();
        } else {
          say(t(FAULTS[outcome.fault], { left: outcome.left ?? 0 }), true);
        }
      });
    });
    root.append(panel(null, form), browsers, selfTest(t));
    showBrowsers();
    void askOwn({ kind: "ReadStatus" }).then(tellStatus);
  },
};
