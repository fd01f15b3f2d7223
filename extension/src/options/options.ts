/** The settings page: sections at the left, the one that the address names at the right. */
import { askOwn, pageLanguage } from "../ownPages";
import { element } from "../ui/element";
import { behaviour } from "./behaviour";
import { boundary } from "./boundary";
import { calibrate } from "./calibrate";
import { connection } from "./connection";
import { detector } from "./detector";
import { history } from "./history";
import { brandIcon, sectionIcon } from "./icons";
import { lists } from "./lists";
import { privacy } from "./privacy";
import { isConnected, isProfileOpen } from "./profileGate";
import { sites } from "./sites";
import { settleNow } from "./toast";
import { addressOf, type Section } from "./view";
import { sayIn, type Say } from "./words";

const SECTIONS: readonly Section[] = [boundary, history, lists, calibrate, behaviour, sites, detector, privacy, connection];

function navigation(t: Say): HTMLElement {
  return element(
    "nav",
    { id: "sections", "aria-label": t("sectionsLabel") },
    ...SECTIONS.map(({ id, heading }) => {
      const link = element("a", { href: addressOf(id), "data-section": id });
      link.append(sectionIcon(id), element("span", {}, t(heading)));
      return link;
    }),
  );
}

async function start(): Promise<void> {
  const language = await pageLanguage();
  const t = sayIn(language);
  const main = document.getElementById("main")!;
  document.body.prepend(
    element("header", { class: "side" }, element("h1", {}, brandIcon(), element("span", {}, t("optionsTitle"))), navigation(t)),
  );

  let left = new AbortController();
  const draw = async (): Promise<void> => {
    settleNow();
    left.abort();
    left = new AbortController();
    const { signal } = left;
    const [name, values] = location.hash.slice(1).split("?");
    let section = SECTIONS.find(({ id }) => id === name);
    if (!section) section = (await isConnected()) ? boundary : connection;
    const settings = await askOwn({ kind: "ReadSettings" });
    if (signal.aborted) return;
    for (const link of document.querySelectorAll<HTMLElement>("[data-section]")) {
      const isCurrent = link.dataset.section === section.id;
      if (isCurrent) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      // On a narrow window the sections are a row that can be scrolled.
      if (isCurrent) link.scrollIntoView({ block: "nearest", inline: "center" });
    }
    document.title = `${t(section.heading)} · ${t("optionsTitle")}`;
    // Not the address itself: the browser would scroll back to it whenever the page grows.
    const headingId = `${section.id}-heading`;
    const root = element("section", { "aria-labelledby": headingId, "data-drawing": "" });
    main.replaceChildren(
      element("h2", { id: headingId, tabindex: "-1" }, t(section.heading)),
      element("p", { class: "lead" }, t(section.help)),
      root,
    );
    const view = { root, t, language, settings, signal, query: new URLSearchParams(values ?? ""), redraw: () => void draw() };
    if (!section.needsProfile || (await isProfileOpen(view))) await section.draw(view);
    root.removeAttribute("data-drawing");
  };

  window.addEventListener("hashchange", () => {
    scrollTo(0, 0);
    void draw().then(() => document.querySelector<HTMLElement>("#main > h2")?.focus({ preventScroll: true }));
  });
  await draw();
}

void start();
