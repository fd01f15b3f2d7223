/** One line at the foot of the window: what was done, with its undo; or what is about to be done, with a way out. */
import { button, element } from "../ui/element";
import type { Say } from "./words";

const SHOWN_MS = 6000;

interface Waiting {
  /** Does now what was put off. */
  settle(): void;
}

let waiting: Waiting | null = null;

function place(): HTMLElement {
  const found = document.getElementById("toast");
  if (found) return found;
  const made = element("div", { id: "toast", role: "status", "aria-live": "polite" });
  document.body.append(made);
  return made;
}

function show(children: ReadonlyArray<Node>, ended: () => void): () => void {
  const where = place();
  const line = element("div", { class: "toast-line" }, ...children);
  where.replaceChildren(line);
  const timer = setTimeout(() => close(), SHOWN_MS);
  const close = (): void => {
    clearTimeout(timer);
    line.remove();
    ended();
  };
  return close;
}

/** Says what was done. */
export function say(t: Say, words: string, undo?: () => void): void {
  settleNow();
  const close = show(
    [element("span", {}, words), ...(undo ? [button(t("undo"), () => { close(); undo(); })] : [])],
    () => undefined,
  );
}

/**
 * For what cannot be undone once it is done: it is put off for a few seconds, and done at once when the page is left or
 * something else comes. `act` gets true where it is done, false where the user took it back.
 */
export function putOff(t: Say, words: string, act: (isDone: boolean) => void): void {
  settleNow();
  let isOver = false;
  const finish = (isDone: boolean): void => {
    if (isOver) return;
    isOver = true;
    waiting = null;
    close();
    act(isDone);
  };
  const close = show(
    [
      element("span", {}, words),
      button(t("undo"), () => finish(false)),
      button(t("doNow"), () => finish(true)),
    ],
    () => finish(true),
  );
  waiting = { settle: () => finish(true) };
}

export function settleNow(): void {
  waiting?.settle();
}

window.addEventListener("pagehide", settleNow);
