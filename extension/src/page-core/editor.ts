/** Finding the editable a user types into, and telling its kind: by the DOM, never by the site. */

export type EditorKind =
  | "textarea" | "input" | "plain" | "prosemirror" | "lexical" | "quill" | "slate" | "draft" | "codemirror" | "editcontext";

export type FormHost = HTMLTextAreaElement | HTMLInputElement;

/** Input types a message may be typed into; passwords and the like are never read. */
const INPUT_TYPES = new Set(["text", "search"]);

export function isFormHost(node: unknown): node is FormHost {
  const name = (node as Node | null)?.nodeName;
  return name === "TEXTAREA" || name === "INPUT";
}

function isReadable(host: FormHost): boolean {
  if (host.nodeName === "TEXTAREA") return true;
  const autocomplete = host.autocomplete;
  return (
    INPUT_TYPES.has((host as HTMLInputElement).type) &&
    !/password|one-time-code|^cc-/.test(autocomplete)
  );
}

/** The editable around `target` (which may lie in a shadow root); null when there is none to check. */
export function editableAround(target: EventTarget | null | undefined): HTMLElement | null {
  let node = target as Node | null;
  if (isFormHost(node)) return isReadable(node) && !node.readOnly && !node.disabled ? node : null;
  if (node && node.nodeType === Node.TEXT_NODE) node = node.parentNode;
  let host: HTMLElement | null = null;
  for (let element = node as HTMLElement | null; element?.isContentEditable; element = element.parentElement) {
    host = element;
  }
  // `document.designMode` makes the whole page editable: not a composer.
  return host && host.nodeName !== "HTML" && host.nodeName !== "BODY" ? host : bodyOfFrame(host);
}

/** Older editors are a frame whose body is editable. */
function bodyOfFrame(host: HTMLElement | null): HTMLElement | null {
  if (!host) return null;
  const body = host.ownerDocument.body;
  return body.getAttribute("contenteditable") !== null && body.isContentEditable ? body : null;
}

const KINDS: ReadonlyArray<readonly [EditorKind, string]> = [
  ["slate", "[data-slate-editor=true]"],
  ["lexical", "[data-lexical-editor=true]"],
  ["draft", ".public-DraftEditor-content"],
  ["quill", ".ql-editor"],
  ["codemirror", ".cm-content"],
  ["prosemirror", ".ProseMirror"],
];

export function kindOf(host: HTMLElement): EditorKind {
  if (host.nodeName === "TEXTAREA") return "textarea";
  if (host.nodeName === "INPUT") return "input";
  if (host.editContext) return "editcontext";
  for (const [kind, selector] of KINDS) if (host.matches(selector)) return kind;
  return "plain";
}

/** The focused element, looked up through shadow roots; `openRoot` may reach closed ones. */
export function deepActiveElement(doc: Document, openRoot: (element: Element) => ShadowRoot | null): Element | null {
  let active = doc.activeElement;
  for (;;) {
    const inner: Element | null = active ? (openRoot(active)?.activeElement ?? null) : null;
    if (!inner) return active;
    active = inner;
  }
}

/** The innermost target of an event: a closed shadow root hides it from listeners outside. */
export function deepTarget(event: Event, openRoot: (element: Element) => ShadowRoot | null): EventTarget | null {
  let target = event.composedPath()[0] ?? null;
  for (;;) {
    // Fields of forms have no shadow root of the page's; this is asked on every key.
    if (!(target instanceof Element) || isFormHost(target)) return target;
    const root = openRoot(target);
    if (!root) return target;
    const inner: Element | null =
      event instanceof MouseEvent ? root.elementFromPoint(event.clientX, event.clientY) : root.activeElement;
    if (!inner || inner === target || inner.getRootNode() !== root) return target;
    target = inner;
  }
}
