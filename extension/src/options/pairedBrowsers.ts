/** The browsers that are connected to this Limen, and when each was last seen. */
import { element } from "../ui/element";
import { ago } from "./ago";
import type { PairedBrowser } from "./answers";
import { helpLine, panel } from "./controls";
import { call } from "./daemon";
import type { View } from "./view";

/** Empty where the daemon does not answer: the rest of the section says why. */
export async function pairedBrowsers(view: View): Promise<HTMLElement[]> {
  const answer = await call("/v1/pairings");
  if (!answer.ok || answer.body.pairings.length === 0) return [];
  // This one first, then by when they were last seen.
  const seen = ({ last_seen, paired_at }: PairedBrowser): number => Date.parse(last_seen ?? paired_at);
  const browsers = [...answer.body.pairings].sort((a, b) => Number(b.this) - Number(a.this) || seen(b) - seen(a));
  const { t } = view;
  return [
    panel(
      t("browsersHeading"),
      helpLine(t("browsersHelp")),
      element("ul", { class: "models", id: "browsers" }, ...browsers.map((browser) => row(view, browser))),
    ),
  ];
}

function row(view: View, browser: PairedBrowser): HTMLElement {
  const { t, language } = view;
  const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
  const since = t("browserSince", { date: date.format(Date.parse(browser.paired_at)) });
  const last = browser.last_seen === null ? t("browserNeverSeen") : t("browserSeen", { when: ago(view, Date.parse(browser.last_seen), Date.now()) });
  return element(
    "li",
    { "data-pairing": browser.id },
    element("strong", {}, browser.label === "" ? t("browserUnnamed") : browser.label),
    element("p", { class: "help" }, `${since} · ${last}`),
    browser.this
      ? element("span", { class: "in-use" }, t("browserThis"))
      : element("p", { class: "help forget" }, element("code", {}, `limen unpair ${browser.id}`)),
  );
}
