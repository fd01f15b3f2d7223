/** The question before a message is sent: nothing is lost, and every way on is one press away. */
import type { Theme } from "../page-core/painter";
import { button, element } from "./element";
import type { Layer } from "./layer";
import { follow, type Anchor } from "./place";
import type { Translate } from "./strings";

export interface GateView {
  count: number;
  isUnchecked: boolean;
  theme: Theme;
}

export interface GateActions {
  review: () => void;
  redactAll: () => void;
  send: () => void;
  closed: () => void;
}

export class GatePanel {
  readonly #layer: Layer;
  readonly #t: Translate;
  #stop: (() => void) | null = null;
  #panel: HTMLElement | null = null;
  #closed: (() => void) | null = null;

  constructor(layer: Layer, t: Translate) {
    this.#layer = layer;
    this.#t = t;
  }

  get isOpen(): boolean {
    return this.#panel !== null;
  }

  open(view: GateView, anchor: Anchor, actions: GateActions): void {
    this.close();
    const t = this.#t;
    const choose = (action: () => void) => (): void => {
      this.close();
      action();
    };
    const text = view.isUnchecked
      ? t("gateUnchecked")
      : t(view.count === 1 ? "gateTextOne" : "gateText", { count: view.count });
    const ways = view.isUnchecked
      ? []
      : [
          button(t("gateReview"), choose(actions.review), { "data-first": true }),
          button(t("gateRedactSend"), choose(actions.redactAll)),
        ];
    const panel = element(
      "section",
      { class: `card gate ${view.theme}`, role: "alertdialog", "aria-label": t("gateTitle") },
      element(
        "header",
        {},
        element("h2", {}, t("gateTitle")),
        button("✕", () => this.close(), { class: "close", "aria-label": t("close") }),
      ),
      element("p", {}, text),
      element("div", { class: "row" }, ...ways, button(t("gateSend"), choose(actions.send))),
    );
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.#panel = panel;
    this.#closed = actions.closed;
    this.#layer.root.append(panel);
    this.#layer.show();
    this.#stop = follow(panel, anchor, () => this.close());
    panel.querySelector("button")?.focus({ preventScroll: true });
  }

  close(): void {
    if (!this.#panel) return;
    this.#stop?.();
    this.#stop = null;
    this.#panel.remove();
    this.#panel = null;
    if (!this.#layer.root.querySelector(".card, .toast")) this.#layer.hide();
    this.#closed?.();
    this.#closed = null;
  }
}
