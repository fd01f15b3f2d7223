/** The card beside a clicked mark: what the phrase tells, and what can be done about it. Knows nothing of the page. */
import type { Finding, Reason } from "../finding";
import type { Theme } from "../page-core/painter";
import type { Wording } from "../wording";
import { button, element } from "./element";
import type { Layer } from "./layer";
import { follow, type Anchor } from "./place";
import type { StringKey, Translate } from "./strings";

export type UsualChoice = "keep" | "redact" | "generalize" | null;
export type Rule = "keep_phrase" | "keep_kind" | "quiet_kind_here" | "redact_phrase";

export interface CardActions {
  keep(): void;
  redact(): void;
  /** Less detailed wordings that fit in the phrase's place; empty where none is known. */
  wordings(): Promise<Wording[]>;
  generalize(wording: Wording): void;
  always(rule: Rule): void;
  /** Offered instead of Redact where the editor cannot be changed from outside. */
  copySafe: (() => void) | null;
  closed(): void;
}

export interface CardView {
  finding: Finding;
  theme: Theme;
  usual: UsualChoice;
  /** True when opened by keyboard: the focus then moves into the card. */
  takesFocus: boolean;
}

/** The wordings were asked for when the card opened; a daemon that is slower than this is not waited for. */
const PATIENCE_MS = 800;

async function within(offered: Promise<Wording[]>, limitMs: number): Promise<Wording[]> {
  const late = new Promise<Wording[]>((resolve) => setTimeout(() => resolve([]), limitMs));
  return Promise.race([offered, late]);
}

export class Card {
  readonly #layer: Layer;
  readonly #t: Translate;
  #stop: (() => void) | null = null;
  #actions: CardActions | null = null;
  #panel: HTMLElement | null = null;

  constructor(layer: Layer, t: Translate) {
    this.#layer = layer;
    this.#t = t;
  }

  get isOpen(): boolean {
    return this.#panel !== null;
  }

  open(view: CardView, anchor: Anchor, actions: CardActions): void {
    this.close();
    this.#actions = actions;
    const panel = this.#build(view, actions);
    this.#panel = panel;
    this.#layer.root.append(panel);
    this.#layer.show();
    this.#stop = follow(panel, anchor, () => this.close());
    if (view.takesFocus) (panel.querySelector<HTMLElement>(".usual") ?? panel.querySelector<HTMLElement>("[data-first]"))?.focus();
  }

  close(): void {
    if (!this.#panel) return;
    this.#stop?.();
    this.#panel.remove();
    this.#panel = null;
    if (!this.#layer.root.querySelector(".toast")) this.#layer.hide();
    this.#actions?.closed();
    this.#actions = null;
  }

  #build(view: CardView, actions: CardActions): HTMLElement {
    const t = this.#t;
    const { finding } = view;
    const extra = element("div", { class: "column", hidden: true });
    const showExtra = (...children: Node[]): void => {
      extra.replaceChildren(...children);
      extra.hidden = false;
    };
    const usual = (choice: UsualChoice): string | undefined => (view.usual === choice ? "usual" : undefined);
    const choose = (action: () => void) => (): void => {
      action();
      this.close();
    };

    const keep = button(t("keep"), choose(() => actions.keep()), { class: usual("keep"), "aria-keyshortcuts": "1", "data-first": true });
    const redact = actions.copySafe
      ? button(t("copySafe"), choose(actions.copySafe), { "aria-keyshortcuts": "2" })
      : button(t("redact"), choose(() => actions.redact()), { class: usual("redact"), "aria-keyshortcuts": "2" });
    const use = (wording: Wording): void => choose(() => actions.generalize(wording))();
    const generalize = button(
      `${t("generalize")} ▾`,
      () => {
        // All at once: a button that comes later would move the others from under the pointer.
        void within(actions.wordings(), PATIENCE_MS).then((offered) => {
          if (!extra.isConnected) return;
          showExtra(...this.#ownWording(finding, use));
          this.#offer(extra, offered, use);
        });
      },
      { class: usual("generalize"), "aria-keyshortcuts": "3" },
    );
    const buttons = actions.copySafe ? [keep, redact] : [keep, redact, generalize];

    const panel = element(
      "section",
      { class: `card ${view.theme}`, role: "dialog", "aria-label": t("cardLabel") },
      element(
        "header",
        {},
        element("h2", {}, `“${finding.phrase}”`),
        button("✕", () => this.close(), { class: "close", "aria-label": t("close") }),
      ),
      element("p", { class: "tells" }, finding.information),
      element("p", { class: "dim" }, `${t(kindKey(finding))} · ${t(aboutKey(finding))}`),
      element("div", { class: "row" }, ...buttons),
      extra,
      element(
        "div",
        { class: "foot" },
        ...(finding.boundary.reason ? [element("p", { class: "dim" }, sayReason(finding.boundary.reason, t))] : []),
        button(t("whyMarked"), () => showExtra(...this.#reasons(finding)), { class: "plain" }),
        button(t("always"), () => showExtra(...this.#rules(finding, (rule) => choose(() => actions.always(rule))())), {
          class: "plain",
        }),
      ),
    );
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
      else if (/^[123]$/.test(event.key)) buttons[Number(event.key) - 1]?.click();
      else return;
      event.preventDefault();
    });
    return panel;
  }

  /** The wordings as buttons above the user's own; by keyboard the first one is at hand. */
  #offer(extra: HTMLElement, offered: readonly Wording[], use: (wording: Wording) => void): void {
    const input = extra.querySelector("input");
    if (offered.length === 0) {
      input?.select();
      return;
    }
    const isByKeyboard = this.#layer.root.activeElement !== null;
    const buttons = offered.map((wording) => button(wording.text, () => use(wording), { class: "wording" }));
    const group = element("div", { class: "row wordings", role: "group", "aria-label": this.#t("generalizeLabel") }, ...buttons);
    group.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const at = buttons.indexOf(event.target as HTMLButtonElement);
      if (step === undefined || at < 0) return;
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    });
    extra.prepend(group);
    if (isByKeyboard) buttons[0]?.focus();
  }

  #ownWording(finding: Finding, use: (wording: Wording) => void): Node[] {
    const t = this.#t;
    const input = element("input", { type: "text", value: finding.phrase, autocomplete: "off" });
    const apply = (): void => {
      const wording = input.value.trim();
      if (wording !== "" && wording !== finding.phrase) use({ text: wording, lead: 0, reached: null });
    };
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      // Else the key would go on into the editor, which gets the focus back.
      event.preventDefault();
      apply();
    });
    return [element("div", { class: "own" }, element("label", {}, t("generalizeLabel"), input), button(t("generalizeApply"), apply))];
  }

  #reasons(finding: Finding): Node[] {
    const t = this.#t;
    const kind = t(kindKey(finding));
    const { p_accept: chance, evidence } = finding.boundary;
    return [
      element(
        "p",
        { class: "dim" },
        finding.source === "pattern" ? t("whyPattern", { kind }) : t("whyModel", { kind, score: finding.score.toFixed(2) }),
      ),
      element(
        "p",
        { class: "dim" },
        chance === null
          ? t("whyNoChoices")
          : t("whyGuess", { count: evidence, percent: Math.round(chance * 100) }),
      ),
    ];
  }

  #rules(finding: Finding, use: (rule: Rule) => void): Node[] {
    const t = this.#t;
    return [
      button(t("alwaysKeepPhrase"), () => use("keep_phrase")),
      button(t("alwaysKeepKind", { kind: t(kindKey(finding)) }), () => use("keep_kind")),
      button(t("neverMarkKindHere"), () => use("quiet_kind_here")),
      button(t("alwaysRedactPhrase"), () => use("redact_phrase")),
    ];
  }
}

export function sayReason(reason: Reason, t: Translate): string {
  if (reason.kind === "rule") return t(`rule_${reason.rule}_${reason.scope}`);
  const { accepted: count, total } = reason;
  return t(total === 1 ? `why_${reason.kind}_one` : `why_${reason.kind}`, { count, total });
}

export const kindKey = (finding: Finding): StringKey => `kind_${finding.category}`;

function aboutKey(finding: Finding): StringKey {
  if (finding.tier === "others") return "aboutOther";
  return finding.subject === "user" ? "aboutYou" : "aboutClose";
}
