/** The settings page: one file per section. */
import { askOwn, pageTranslator } from "../ownPages";
import { element } from "../ui/element";
import { behaviourSection } from "./behaviour";
import { connectionSection } from "./connection";
import { sitesSection } from "./sites";

async function start(): Promise<void> {
  const [t, settings] = await Promise.all([pageTranslator(), askOwn({ kind: "ReadSettings" })]);
  document.title = t("optionsTitle");
  document.getElementById("main")!.append(
    element("h1", {}, t("optionsTitle")),
    connectionSection(t, askOwn),
    behaviourSection(t, askOwn, settings),
    sitesSection(t, askOwn, settings),
  );
}

void start();
