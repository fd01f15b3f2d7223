/** The sites Limen works on, those that are switched off, and the kinds that are quiet on a site. */
import type { askOwn } from "../ownPages";
import type { Category } from "../finding";
import type { Settings } from "../protocol";
import sites from "../sites.json";
import { button, element } from "../ui/element";
import type { StringKey, Translate } from "../ui/strings";

export function sitesSection(t: Translate, ask: typeof askOwn, settings: Settings): HTMLElement {
  const section = element("section", { "aria-labelledby": "sites" });
  const draw = (now: Settings): void => {
    const remove = (name: "sitesOff" | "quietKinds", item: string): void => {
      void ask({ kind: "WriteSettings", settings: { [name]: now[name].filter((other) => other !== item) } }).then(draw);
    };
    const list = (
      heading: StringKey,
      items: readonly string[],
      words: (item: string) => string,
      way: StringKey,
      act: (item: string) => void,
    ): HTMLElement[] => [
      element("h3", {}, t(heading)),
      items.length === 0
        ? element("p", { class: "help" }, t("none"))
        : element(
            "ul",
            { class: "list" },
            ...items.map((item) => element("li", {}, element("span", {}, words(item)), button(t(way), () => act(item)))),
          ),
    ];
    section.replaceChildren(
      element("h2", { id: "sites" }, t("sitesHeading")),
      element("p", { class: "help" }, t("sitesHelp")),
      element("p", {}, sites.map((site) => site.name).join(" · ")),
      ...list("sitesOffHeading", now.sitesOff, (site) => site, "switchOn", (site) => remove("sitesOff", site)),
      ...list("quietHeading", now.quietKinds, (entry) => quietWords(t, entry), "quietRemove", (entry) =>
        remove("quietKinds", entry),
      ),
    );
  };
  draw(settings);
  return section;
}

/** "chatgpt.com/health" in words. */
function quietWords(t: Translate, entry: string): string {
  const [site, category] = entry.split("/") as [string, Category];
  return `${t(`kind_${category}`)} · ${site}`;
}
