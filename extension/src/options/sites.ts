/** Sites: where Limen works, what is switched off, when something was last chosen there; sites of the user's own. */
import { api } from "../browser";
import { isSiteOff } from "../matchPattern";
import { askOwn } from "../ownPages";
import siteTable from "../sites.json";
import { button, element } from "../ui/element";
import { panel, result, tell, textField } from "./controls";
import { call } from "./daemon";
import { hostOf } from "./lists";
import { say } from "./toast";
import { addressOf, type Section, type View } from "./view";

interface Row {
  name: string;
  /** As the settings name them: without www. A host such as "*.tongyi.com" stands for all below it. */
  hosts: string[];
  /** Set for a site the user added. */
  origin: string | null;
}

const hostOfPattern = (pattern: string): string => pattern.replace(/^[^/]+:\/\//, "").replace(/\/.*$/, "").replace(/^www\./, "");

/** One row for each set of hosts; two entries of the table may share theirs. */
function shippedRows(): Row[] {
  const rows = siteTable.map(({ name, matches }) => ({ name, hosts: [...new Set(matches.map(hostOfPattern))], origin: null }));
  return rows.sort((a, b) => a.name.localeCompare(b.name));
}

export const sites: Section = {
  id: "sites",
  heading: "sitesHeading",
  help: "sitesLead",
  needsProfile: false,
  async draw(view) {
    const { root, t, signal } = view;
    const [added, summary] = await Promise.all([askOwn({ kind: "ReadSites" }), call("/v1/decisions/summary")]);
    if (signal.aborted) return;
    const own: Row[] = added.map((origin) => ({ name: new URL(origin).hostname, hosts: [new URL(origin).hostname.replace(/^www\./, "")], origin }));
    const rows = [...own, ...shippedRows()];
    const counts = summary.ok ? summary.body.by_site : null;
    const body = element("tbody", {});
    root.append(
      addForm(view),
      element(
        "table",
        { class: "sites" },
        element("caption", { class: "unseen" }, t("sitesHeading")),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, t("siteColumn")), element("th", { scope: "col" }, t("choicesColumn")), element("th", { scope: "col" }, t("checkedColumn")))),
        body,
      ),
    );
    const counted = rows.map((row) => {
      const chosen = counts?.filter(({ name }) => row.hosts.some((host) => isSiteOff([host], name))) ?? null;
      return { row, site: chosen?.[0]?.name ?? row.hosts[0]!, choices: chosen && chosen.reduce((sum, { total }) => sum + total, 0) };
    });
    // Most used first; the others stay in the order of their names.
    counted.sort((a, b) => (b.choices ?? 0) - (a.choices ?? 0));
    for (const { row, site, choices } of counted) body.append(tableRow(view, row, choices, site));
    const strays = view.settings.sitesOff.filter((site) => !rows.some(({ hosts }) => hosts.some((host) => isSiteOff([host], site))));
    for (const site of strays) body.prepend(tableRow(view, { name: site, hosts: [site], origin: null }, null, site));
    await fillLast(view, body);
  },
};

function tableRow(view: View, row: Row, choices: number | null, site: string): HTMLElement {
  const { t, settings } = view;
  const isOff = (host: string): boolean => isSiteOff(settings.sitesOff, host);
  const box = element("input", { type: "checkbox", role: "switch", checked: !row.hosts.some(isOff), "aria-label": t("checkNamed", { site: row.name }) });
  box.addEventListener("change", () => {
    const others = view.settings.sitesOff.filter((off) => !row.hosts.some((host) => isSiteOff([host], off)));
    const sitesOff = box.checked ? others : [...others, ...row.hosts];
    const before = view.settings.sitesOff;
    void askOwn({ kind: "WriteSettings", settings: { sitesOff } }).then((written) => {
      view.settings = written;
      say(t, t("saved"), () => void askOwn({ kind: "WriteSettings", settings: { sitesOff: before } }).then(view.redraw));
    });
  });
  const count = choices === null || choices === 0 ? "–" : String(choices);
  return element(
    "tr",
    { "data-site": site, "data-count": choices === null || choices === 0 ? undefined : count },
    element(
      "th",
      { scope: "row" },
      row.name,
      element("span", { class: "help" }, row.hosts.join(", ")),
      ...(row.origin === null ? [] : [button(t("removeSite"), () => void askOwn({ kind: "RemoveSite", origin: row.origin! }).then(view.redraw))]),
    ),
    element("td", {}, count !== "–" ? element("a", { href: addressOf("history", { site }) }, count) : count, element("span", { class: "help last" })),
    element("td", { class: "switch" }, box),
  );
}

/** The date of the last choice, for the sites that have any. */
async function fillLast({ t, language, signal }: View, body: HTMLElement): Promise<void> {
  const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
  for (const row of body.querySelectorAll<HTMLElement>("tr[data-count]")) {
    const answer = await call("/v1/decisions/list", { site: row.dataset.site, page: 1, page_size: 1 });
    if (signal.aborted || !answer.ok) return;
    const [item] = answer.body.items;
    if (item) row.querySelector(".last")!.textContent = t("lastOn", { date: date.format(item.at) });
  }
}

function addForm(view: View): HTMLElement {
  const { t } = view;
  const said = result({ id: "add-site-result" });
  const field = textField(t("addSiteLabel"), { id: "add-site", placeholder: "chat.example.org", inputmode: "url" }, t("addSiteHelp"));
  const form = element("form", {}, field.row, element("div", { class: "row" }, element("button", { type: "submit", class: "main" }, t("addSiteButton")), said));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const host = hostOf(field.input.value);
    if (host === "") {
      tell(said, t("siteMalformed"), true);
      return;
    }
    const typed = field.input.value.trim();
    const origin = new URL(/^https?:\/\//.test(typed) ? typed : `https://${typed}`).origin;
    // The permission must be asked for in the press itself.
    void api.permissions.request({ origins: [`${origin}/*`] }).then(async (isGranted) => {
      if (isGranted && (await askOwn({ kind: "AddSite", origin }))) view.redraw();
      else tell(said, t("siteRefused"), true);
    }, () => tell(said, t("siteRefused"), true));
  });
  return panel(null, form);
}
