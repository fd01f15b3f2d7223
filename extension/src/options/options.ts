/** The settings page. */
import { askOwn, pageTranslator } from "../ownPages";
import { connectionSection } from "./connection";
import { element } from "../ui/element";

async function start(): Promise<void> {
  const t = await pageTranslator();
  document.title = t("optionsTitle");
  const main = document.getElementById("main")!;
  main.append(element("h1", {}, t("optionsTitle")), connectionSection(t, askOwn));
}

void start();
