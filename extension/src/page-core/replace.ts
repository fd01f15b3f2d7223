/**
 * Replacing a phrase so that the editor itself makes the change: its model, its undo and its caret stay right.
 *
 * One recipe serves every editor tried: select, wait until the editor has seen the selection, `insertText`. Slate in
 * Chromium listens to `beforeinput` only, which `execCommand` does not fire there, so it gets the event instead.
 * What was written is read back; success that did not land is never claimed.
 */
import type { FieldSession } from "./session";
import { remapOffset, singleEdit } from "./remap";

export type ReplaceOutcome =
  | "done"
  /** The phrase is no longer where it was. */
  | "moved"
  /** The editor did not take the change; the text is as it was. */
  | "refused"
  /** The editor did something else; the user should look. */
  | "unsure";

/** Time an editor needs to take over a new selection. */
const SETTLE_MS = 60;
const VERIFY_MS = 120;
/** Quill merges edits closer than a second into one undo step. */
const QUILL_UNDO_GAP_MS = 1_100;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface ReplaceRequest {
  start: number;
  end: number;
  /** What must stand there. */
  phrase: string;
  /** One line, not empty. */
  replacement: string;
}

export interface EditClock {
  /** `performance.now()` of the last edit in the field. */
  lastEditAt: number;
}

export async function replacePhrase(
  session: FieldSession,
  request: ReplaceRequest,
  clock: EditClock,
  browser: typeof BROWSER,
): Promise<ReplaceOutcome> {
  const { field } = session;
  if (field.kind === "editcontext") return "refused";
  const replacement = request.replacement.replaceAll(/[\r\n]+/g, " ");
  while (session.isComposing) await wait(SETTLE_MS);
  if (field.kind === "quill") {
    await wait(Math.max(0, clock.lastEditAt + QUILL_UNDO_GAP_MS - performance.now()));
  }
  const before = field.read();
  if (before.slice(request.start, request.end) !== request.phrase) return "moved";
  const expected = before.slice(0, request.start) + replacement + before.slice(request.end);
  const caret = field.caret();

  if (!field.select(request.start, request.end)) return "refused";
  await wait(SETTLE_MS);
  insert(field.host, field.kind === "slate" && browser === "chromium", replacement);
  const outcome = await verify(() => field.read(), before, expected);
  session.sync();
  if (outcome === "done" && caret) {
    const edit = singleEdit(before, expected);
    if (edit) field.select(remapOffset(caret.anchor, edit), remapOffset(caret.focus, edit), caret.direction);
  }
  return outcome;
}

function insert(host: HTMLElement, byEvent: boolean, text: string): void {
  if (byEvent) {
    host.dispatchEvent(
      new InputEvent("beforeinput", { inputType: "insertText", data: text, bubbles: true, cancelable: true, composed: true }),
    );
  } else {
    host.ownerDocument.execCommand("insertText", false, text);
  }
}

async function verify(read: () => string, before: string, expected: string): Promise<ReplaceOutcome> {
  const deadline = performance.now() + VERIFY_MS;
  let text = read();
  while (text !== expected && performance.now() < deadline) {
    await wait(20);
    text = read();
  }
  if (text === expected) return "done";
  return text === before ? "refused" : "unsure";
}
