/** Knowing when a message is being sent, holding it back where the user wants that, and learning from what was sent. */
import type { Mark } from "../page-core/mark";
import type { FieldSession } from "../page-core/session";
import type { Gate } from "../protocol";

/** How long after Enter or a press of the button an emptied field counts as sent. */
const SENT_WITHIN_MS = 4_000;
/** After "send as it is" the same message is let through for this long. */
const PASS_MS = 3_000;

const SEND_WORDS = /\b(send|submit|senden|absenden)\b|发送|提交|傳送/i;

export interface SendingDeps {
  gate: () => Gate;
  /** Selectors of the site's send buttons, where they are known. */
  sendHints: readonly string[];
  /** Not where Enter alone begins a new line. */
  isEnterSending: boolean;
  sessionOf: (event: Event) => FieldSession | null;
  current: () => FieldSession | null;
  /** Opens the question; `send` lets the message go as it is. */
  hold: (session: FieldSession, marks: Mark[], isUnchecked: boolean, send: () => void) => void;
  sent: (marks: Mark[]) => void;
  /** Sending was asked for with an empty field: a file alone, or nothing. */
  sentWithoutText: () => void;
}

/** What keeps a message back: in gentle mode what goes beyond the boundary, in strict mode also what is not checked. */
export function holdingMarks(session: Pick<FieldSession, "marks">): Mark[] {
  return session.marks.filter((mark) => mark.look === "strong" || mark.look === "secret");
}

export class Sending {
  readonly #deps: SendingDeps;
  readonly #abort = new AbortController();
  #pass: { text: string; until: number } | null = null;
  #expected: { session: FieldSession; marks: Mark[]; until: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: SendingDeps) {
    this.#deps = deps;
    const options = { capture: true, signal: this.#abort.signal };
    window.addEventListener("keydown", (event) => this.#keydown(event), options);
    window.addEventListener("click", (event) => this.#click(event), options);
    window.addEventListener("submit", (event) => this.#submit(event), options);
  }

  dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#expected = null;
  }

  /** Call on every edit: a field that is empty soon after Enter was sent. */
  edited(session: FieldSession): void {
    if (this.#expected?.session === session && session.text.trim() === "") this.#settle();
  }

  /** Call when the page took a field away: some put a new one in its place instead of emptying it. */
  gone(session: FieldSession): void {
    if (this.#expected?.session === session) this.#settle();
  }

  #settle(): void {
    const expected = this.#expected;
    this.#expected = null;
    clearTimeout(this.#timer);
    if (expected && performance.now() <= expected.until) this.#deps.sent(expected.marks);
  }

  #expect(session: FieldSession): void {
    const marks = session.marks.filter((mark) => mark.look !== "quiet");
    this.#expected = { session, marks, until: performance.now() + SENT_WITHIN_MS };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), SENT_WITHIN_MS);
  }

  /** A field that is gone is noticed when another gets the focus; here none did so far. */
  #expire(): void {
    const expected = this.#expected;
    this.#expected = null;
    if (expected && !expected.session.field.host.isConnected) this.#deps.sent(expected.marks);
  }

  #keydown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.altKey || event.isComposing || event.keyCode === 229) return;
    if (!this.#deps.isEnterSending && !event.ctrlKey && !event.metaKey) return;
    const session = this.#deps.sessionOf(event);
    if (!session) return;
    this.#consider(event, session, () => resend(session.field.host, event));
  }

  #click(event: MouseEvent): void {
    const button = event.composedPath().find((node): node is HTMLElement => node instanceof HTMLElement && isSendButton(node, this.#deps.sendHints));
    const session = this.#deps.current();
    if (!button) return;
    if (!session) this.#deps.sentWithoutText();
    else this.#consider(event, session, () => (button.isConnected ? button : sendButtonNear(session.field.host, this.#deps.sendHints))?.click());
  }

  /** A page may send by itself, without a key or a press. */
  #submit(event: SubmitEvent): void {
    const session = this.#deps.current();
    const form = event.target;
    if (!session || !(form instanceof HTMLFormElement) || !form.contains(session.field.host)) return;
    const by = event.submitter;
    this.#consider(event, session, () => form.requestSubmit(by?.isConnected ? by : null));
  }

  #consider(event: Event, session: FieldSession, send: () => void): void {
    const { text } = session;
    if (text.trim() === "") {
      this.#deps.sentWithoutText();
      return;
    }
    const gate = this.#deps.gate();
    const marks = holdingMarks(session);
    const isUnchecked = session.status.state !== "checked";
    const isHeld = gate !== "off" && (marks.length > 0 || (gate === "strict" && isUnchecked));
    const isPassed = this.#pass !== null && this.#pass.text === text && performance.now() < this.#pass.until;
    if (!isHeld || isPassed) {
      this.#expect(session);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#deps.hold(session, marks, isUnchecked && marks.length === 0, () => {
      this.#pass = { text: session.text, until: performance.now() + PASS_MS };
      send();
    });
  }
}

/** The page's own handlers take a key that a script makes just as well. Some send by Ctrl or Cmd with Enter only. */
function resend(target: HTMLElement, { ctrlKey, metaKey }: KeyboardEvent): void {
  const key = { key: "Enter", code: "Enter", keyCode: 13, which: 13, ctrlKey, metaKey };
  for (const type of ["keydown", "keypress", "keyup"]) {
    target.dispatchEvent(new KeyboardEvent(type, { ...key, bubbles: true, cancelable: true, composed: true }));
  }
}

/** The one that the page has put in the place of another meanwhile. */
function sendButtonNear(host: HTMLElement, hints: readonly string[]): HTMLElement | null {
  for (let around = host.parentElement; around; around = around.parentElement) {
    const found = [...around.querySelectorAll<HTMLElement>("button, [role=button]")].find((node) => isSendButton(node, hints));
    if (found) return found;
  }
  return null;
}

export function isSendButton(node: HTMLElement, hints: readonly string[]): boolean {
  if (node.nodeName !== "BUTTON" && node.getAttribute("role") !== "button") return false;
  if (hints.some((hint) => node.matches(hint))) return true;
  const said = [node.getAttribute("aria-label"), node.getAttribute("title"), node.getAttribute("data-testid"), node.innerText];
  return said.some((words) => words !== null && words !== undefined && words.length < 40 && SEND_WORDS.test(words.replaceAll(/[-_]/g, " ")));
}
