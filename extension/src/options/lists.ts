/** Lists: what is always kept, what is always redacted, and the kinds that are quiet on a site. */
import { askOwn } from "../ownPages";
import { CATEGORIES } from "../finding";
import type { Settings } from "../protocol";
import { button, element } from "../ui/element";
import type { Rule } from "./answers";
import { panel, result, select, tell, textField } from "./controls";
import { call, failureWords } from "./daemon";
import { isProfileOpen } from "./profileGate";
import { putOff, say } from "./toast";
import type { Section, View } from "./view";
import { kindWords, type Say } from "./words";

export const lists: Section = {
  id: "lists",
  heading: "listsHeading",
  help: "listsHelp",
  // Quiet kinds are the browser's; they are shown without a profile too.
  needsProfile: false,
  async draw(view) {
    const { root, t, signal } = view;
    if (await isProfileOpen(view)) await drawRules(view);
    if (signal.aborted) return;
    const quiet = element("div", { class: "panels" });
    const reload = async (): Promise<void> => {
      const settings = await askOwn({ kind: "ReadSettings" });
      quiet.replaceChildren(panel(t("quietHeading"), quietList(t, settings, () => void reload())));
    };
    root.append(quiet);
    await reload();
  },
};

async function drawRules(view: View): Promise<void> {
  const { root, t, signal } = view;
  const shown = element("div", { class: "panels" });
  const reload = async (): Promise<void> => {
    const answer = await call("/v1/lists/get");
    if (signal.aborted) return;
    if (!answer.ok) {
      shown.replaceChildren(element("p", { class: "bad" }, failureWords(t, answer)), button(t("tryAgain"), () => void reload()));
      return;
    }
    const of = (kind: Rule["rule"]): Rule[] => answer.body.items.filter(({ rule }) => rule === kind);
    shown.replaceChildren(
      panel(t("alwaysKeepHeading"), ruleList(t, of("allow"), () => void reload())),
      panel(t("alwaysRedactHeading"), element("p", { class: "help" }, t("alwaysRedactHelp")), ruleList(t, of("block"), () => void reload())),
    );
  };
  root.append(addForm(view, () => void reload()), shown);
  await reload();
}

function valueWords(t: Say, { scope, value }: Pick<Rule, "scope" | "value">): string {
  if (scope === "category") return t("ruleKind", { kind: kindWords(t, value) });
  return scope === "site" ? t("ruleSite", { site: value }) : value;
}

function ruleList(t: Say, rules: readonly Rule[], reload: () => void): HTMLElement {
  if (rules.length === 0) return element("p", { class: "help" }, t("listNone"));
  return element(
    "ul",
    { class: "list" },
    ...rules.map((rule) => {
      const words = valueWords(t, rule);
      const row = element("li", {}, element("span", { class: rule.scope === "value" ? "value" : "" }, words));
      row.append(
        button(t("remove"), () => {
          row.hidden = true;
          putOff(t, t("willRemove", { what: words }), (isDone) => {
            if (!isDone) row.hidden = false;
            else void call("/v1/lists/remove", { id: rule.id }).then((answer) => {
              say(t, answer.ok ? t("removed") : failureWords(t, answer));
              reload();
            });
          });
        }, { "aria-label": t("removeNamed", { what: words }) }),
      );
      return row;
    }),
  );
}

function quietList(t: Say, { quietKinds }: Settings, reload: () => void): HTMLElement {
  if (quietKinds.length === 0) return element("p", { class: "help" }, t("listNone"));
  const write = (kinds: string[]): Promise<void> => askOwn({ kind: "WriteSettings", settings: { quietKinds: kinds } }).then(reload);
  return element(
    "ul",
    { class: "list" },
    ...quietKinds.map((entry) => {
      const [site, category] = entry.split("/") as [string, string];
      const again = button(t("quietRemove"), () => {
        void write(quietKinds.filter((other) => other !== entry)).then(() => say(t, t("removed"), () => void write(quietKinds)));
      });
      return element("li", {}, element("span", {}, `${kindWords(t, category)} · ${site}`), again);
    }),
  );
}

function addForm({ t }: View, reload: () => void): HTMLElement {
  let rule: Rule["rule"] = "allow";
  let scope: Rule["scope"] = "value";
  const said = result();
  const phrase = textField(t("addPhrase"), { id: "rule-value", maxlength: "2000" }, t("addPhraseHelp"));
  const site = textField(t("addSiteName"), { id: "rule-site", placeholder: "chatgpt.com" }, t("addSiteNameHelp"));
  const kinds = [...CATEGORIES].map((name) => [name, kindWords(t, name)] as const).sort((a, b) => a[1].localeCompare(b[1]));
  const kind = select({ id: "rule-kind", label: t("filterKind") }, kinds, kinds[0]![0], () => undefined);
  const values = element("div", { class: "grow" });
  const show = (): void => values.replaceChildren(scope === "value" ? phrase.row : scope === "site" ? site.row : kind);
  show();
  const form = element(
    "form",
    { id: "add-rule" },
    element(
      "div",
      { class: "filters" },
      select({ id: "rule", label: t("ruleLabel") }, [["allow", t("ruleAllow")], ["block", t("ruleBlock")]], "allow", (value) => (rule = value)),
      select(
        { id: "scope", label: t("scopeLabel") },
        [["value", t("scopeValue")], ["category", t("scopeCategory")], ["site", t("scopeSite")]],
        "value",
        (value) => {
          scope = value;
          show();
        },
      ),
    ),
    values,
    element("div", { class: "row" }, element("button", { type: "submit", class: "main" }, t("addRule")), said),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = scope === "category" ? kind.value : scope === "site" ? hostOf(site.input.value) : phrase.input.value.trim();
    if (value === "") {
      tell(said, t(scope === "site" ? "siteMalformed" : "addNothing"), true);
      return;
    }
    void call("/v1/lists/add", { rule, scope, value }).then((answer) => {
      tell(said, answer.ok ? t("added") : failureWords(t, answer), !answer.ok);
      if (!answer.ok) return;
      phrase.input.value = "";
      site.input.value = "";
      reload();
    });
  });
  return panel(t("addRuleHeading"), form);
}

/** The host of an address or of a bare name; empty where there is none. */
export function hostOf(typed: string): string {
  const text = typed.trim();
  try {
    const { hostname } = new URL(/^https?:\/\//.test(text) ? text : `https://${text}`);
    return /^[a-z0-9.-]+\.[a-z0-9-]+$/.test(hostname) ? hostname.replace(/^www\./, "") : "";
  } catch {
    return "";
  }
}
