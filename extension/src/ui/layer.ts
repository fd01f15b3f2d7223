/** Our own element in the page, beside the body and above everything, with a shadow root that the page cannot enter. */
import { element } from "./element";
import styles from "./layer.css";

/** What must not reach the page's own handlers when it happens inside our element. */
const OURS = [
  "keydown", "keyup", "keypress", "pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "input",
  "beforeinput", "paste", "copy", "cut", "focusin", "focusout", "wheel", "contextmenu",
] as const;

export class Layer {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  #voice: HTMLElement | null = null;

  /** `isInert` lets every click through: for lines that are only looked at. */
  constructor(isInert: boolean) {
    this.host = document.createElement("div");
    this.host.popover = "manual";
    this.root = this.host.attachShadow({ mode: SHADOW_MODE });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    this.root.adoptedStyleSheets.push(sheet);
    if (isInert) {
      this.host.style.setProperty("pointer-events", "none", "important");
      return;
    }
    for (const type of OURS) this.host.addEventListener(type, (event) => event.stopPropagation());
    // The editor keeps its focus and caret when a button is pressed with the mouse. Heard inside: from outside a
    // closed root nobody sees what was pressed.
    this.root.addEventListener("mousedown", (event) => {
      const target = event.composedPath()[0];
      if (!(target instanceof HTMLInputElement)) event.preventDefault();
    });
  }

  /** Reads a message out, politely, to those who use a screen reader; nothing is seen. */
  say(message: string): void {
    this.show();
    this.#voice ??= element("p", { class: "sr", role: "status" });
    if (!this.#voice.isConnected) this.root.append(this.#voice);
    this.#voice.textContent = message;
  }

  show(): void {
    if (!this.host.isConnected) document.documentElement.append(this.host);
    if (!this.host.matches(":popover-open")) this.host.showPopover();
  }

  hide(): void {
    if (this.host.isConnected && this.host.matches(":popover-open")) this.host.hidePopover();
  }

  dispose(): void {
    this.host.remove();
  }
}
