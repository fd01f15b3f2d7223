/** One line after a choice, where the card was, for a few seconds: what was done, and the way back. */
import type { Theme } from "../page-core/painter";
import { button, element } from "./element";
import type { Layer } from "./layer";
import { follow, type Anchor } from "./place";

export const TOAST_MS = 4_000;

export class Toast {
  readonly #layer: Layer;
  #stop: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended: (() => void) | null = null;

  constructor(layer: Layer) {
    this.#layer = layer;
  }

  /** `ended` is called when it is gone, whatever took it away. */
  show(message: string, theme: Theme, anchor: Anchor, undo: { label: string; run: () => void } | null, ended?: () => void): void {
    this.hide();
    this.#ended = ended ?? null;
    const panel = element("div", { class: `toast ${theme}`, role: "status" }, element("span", {}, message));
    if (undo) {
      panel.append(
        button(undo.label, () => {
          this.hide();
          undo.run();
        }),
      );
    }
    this.#layer.root.append(panel);
    this.#layer.show();
    this.#stop = follow(panel, anchor, () => this.hide());
    this.#timer = setTimeout(() => this.hide(), TOAST_MS);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#stop = null;
    this.#layer.root.querySelector(".toast")?.remove();
    if (!this.#layer.root.querySelector(".card")) this.#layer.hide();
    const ended = this.#ended;
    this.#ended = null;
    ended?.();
  }
}
