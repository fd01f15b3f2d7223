/** Set by the build (`build/build.mjs`). */
declare const DAEMON_ORIGIN: string;
declare const SHADOW_MODE: ShadowRootMode;
declare const BROWSER: "chromium" | "firefox";

declare module "*.css" {
  const text: string;
  export default text;
}

/** A live range inside a form control's value (Chromium); not in TypeScript's DOM library yet. */
interface OpaqueRange extends AbstractRange {
  getClientRects(): DOMRectList;
  getBoundingClientRect(): DOMRect;
  disconnect(): void;
}

interface HTMLTextAreaElement {
  createValueRange?(start: number, end: number): OpaqueRange;
}

interface HTMLInputElement {
  createValueRange?(start: number, end: number): OpaqueRange;
}

interface HTMLElement {
  readonly editContext?: unknown;
}

interface ShadowRoot {
  /** Chromium only. */
  getSelection?(): Selection | null;
}

interface Window {
  /** Not in TypeScript's DOM library yet. */
  readonly navigation: EventTarget;
}
