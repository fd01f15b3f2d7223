/** Three composers to try Limen in, right after it was connected. Nothing chosen here is remembered. */
import { pageTranslator } from "../ownPages";
import sites from "../sites.json";
import { button, element } from "../ui/element";

/** How often it is looked whether the first mark is there; the page then says what to do with it. */
const LOOK_MS = 250;

async function start(): Promise<void> {
  const t = await pageTranslator();
  document.title = t("tryTitle");
  const plain = element("textarea", { class: "composer", id: "plain", "aria-label": t("tryPlain") });
  const rich = element("div", { class: "composer", id: "rich", role: "textbox", "aria-label": t("tryRich"), contenteditable: "true" });
  const chat = element("div", { class: "composer", id: "chat", role: "textbox", "aria-label": t("tryChat"), contenteditable: "true" });
  const messages = element("div", { class: "chat", "aria-live": "polite" });
  const send = button(t("trySend"), () => {
    if (chat.textContent === "") return;
    messages.append(element("p", { class: "message" }, chat.textContent ?? ""));
    chat.replaceChildren();
  });
  const pointer = element("p", { class: "pointer", role: "status" });
  const write = button(t("tryWrite"), () => {
    plain.focus();
    document.execCommand("selectAll");
    document.execCommand("insertText", false, t("trySample"));
  });
  document.getElementById("main")!.append(
    element("h1", {}, t("tryTitle")),
    element("p", {}, t("tryHelp")),
    element("p", { class: "sample" }, element("q", {}, t("trySample")), write),
    pointer,
    element("h2", {}, t("tryPlain")),
    plain,
    element("h2", {}, t("tryRich")),
    rich,
    element("h2", {}, t("tryChat")),
    messages,
    chat,
    element("p", {}, send),
    element("h2", {}, t("sitesHeading")),
    element("p", { class: "help" }, t("sitesHelp")),
    element("p", {}, sites.map((site) => site.name).join(" · ")),
  );
  const timer = setInterval(() => {
    if (![...CSS.highlights.values()].some((highlight) => highlight.size > 0)) return;
    clearInterval(timer);
    pointer.textContent = t("tryPointer");
  }, LOOK_MS);
}

void start();
