/**
 * Follows the user through a document: which field has the focus, when it is edited, where it is clicked. Listens on
 * the window only, before the page does; nothing is scanned, and no page node gets a listener, attribute or child.
 */
import { Boxes } from "./boxes";
import { deepActiveElement, deepTarget, editableAround, isFormHost, kindOf } from "./editor";
import type { Field } from "./field";
import { FormField } from "./formField";
import type { Mark } from "./mark";
import type { MarkStyle } from "./markStyle";
import { ParagraphMemory } from "./memory";
import { Painter } from "./painter";
import type { Detect } from "./provider";
import type { EditClock } from "./replace";
import { RichField } from "./richField";
import { FieldSession } from "./session";
import { ShadowStyles } from "./shadowStyles";
import { useScheme } from "./theme";
import type { Finding } from "../finding";

export interface WatchOptions {
  detect: Detect;
  isKept: (finding: Finding) => boolean;
  /** Our own shadow root, made when first needed. */
  layer: () => ShadowRoot;
  /** Reaches closed shadow roots where the browser lets an extension do so. */
  openRoot: (element: Element) => ShadowRoot | null;
  /** Marks that the page's scripts cannot see. */
  prefersBoxes: boolean;
  style: MarkStyle;
  /** Pause in typing after which a text is checked. */
  debounceMs: number;
  /** The marks' style sheet, for shadow roots that the extension's own does not reach (Firefox). */
  shadowStyles: string | null;
  onChange: (session: FieldSession) => void;
  onEdit: (session: FieldSession) => void;
  /** The page took the field out of the document. */
  onGone: (session: FieldSession) => void;
  onMarkClicked: (session: FieldSession, mark: Mark) => void;
  /** Typing was seen in something that cannot be checked. */
  onUnreadable: () => void;
}

/** A press that moves further than this is a selection, not a click. */
const CLICK_SLOP_PX = 4;
/** Scripts may set a form field's value without any event; while it bears marks, it is looked at this often. */
const VALUE_CHECK_MS = 250;

export interface Watch {
  /** Takes up the field that has the focus already; its callbacks run at once, so call it when they can. */
  start(): void;
  /** The field that has, or last had, the focus. */
  current(): FieldSession | null;
  sessions(): Iterable<FieldSession>;
  /** The known field that an event happened in. */
  sessionOf(event: Event): FieldSession | null;
  clockOf(session: FieldSession): EditClock;
  memory: ParagraphMemory;
  dispose(): void;
}

export function watch(options: WatchOptions): Watch {
  const abort = new AbortController();
  useScheme(options.style.scheme);
  const painter = new Painter(options.style);
  const boxes = new Boxes(options.layer, options.prefersBoxes, options.style);
  const memory = new ParagraphMemory();
  const sessions = new Map<HTMLElement, FieldSession>();
  const observers = new Map<HTMLElement, MutationObserver>();
  const clocks = new WeakMap<FieldSession, EditClock>();
  const shadowStyles = new ShadowStyles(options.shadowStyles);
  let current: FieldSession | null = null;
  let pressedAt: { x: number; y: number } | null = null;
  let valueTimer: ReturnType<typeof setInterval> | undefined;

  const makeField = (host: HTMLElement): Field => {
    const kind = kindOf(host);
    return isFormHost(host) ? new FormField(host, kind, painter, boxes) : new RichField(host, kind, painter);
  };

  const attach = (host: HTMLElement): FieldSession => {
    const known = sessions.get(host);
    if (known) return known;
    for (const old of [...sessions.keys()]) if (!old.isConnected) detach(old);
    shadowStyles.add(host);
    const clock: EditClock = { lastEditAt: 0 };
    const session = new FieldSession(makeField(host), {
      detect: options.detect,
      memory,
      debounceMs: options.debounceMs,
      isKept: options.isKept,
      onChange: (changed) => {
        watchValues();
        options.onChange(changed);
      },
      onEdit: (edited) => {
        clock.lastEditAt = performance.now();
        options.onEdit(edited);
      },
    });
    clocks.set(session, clock);
    sessions.set(host, session);
    if (!isFormHost(host)) {
      const observer = new MutationObserver((records) => session.sync(records));
      observer.observe(host, { childList: true, characterData: true, subtree: true });
      observers.set(host, observer);
    }
    return session;
  };

  const detach = (host: HTMLElement): void => {
    observers.get(host)?.disconnect();
    observers.delete(host);
    shadowStyles.remove(host);
    const session = sessions.get(host);
    session?.dispose();
    sessions.delete(host);
    if (session && session === current) current = null;
    if (session && !host.isConnected) options.onGone(session);
  };

  const watchValues = (): void => {
    const isNeeded = [...sessions.values()].some(
      (session) => isFormHost(session.field.host) && session.text !== "",
    );
    if (isNeeded && valueTimer === undefined) {
      valueTimer = setInterval(() => {
        for (const [host, session] of sessions) {
          if (!host.isConnected) detach(host);
          else if (isFormHost(host) && host.value !== session.text) session.sync();
        }
        watchValues();
      }, VALUE_CHECK_MS);
    } else if (!isNeeded) {
      clearInterval(valueTimer);
      valueTimer = undefined;
    }
  };

  const sessionOf = (event: Event): FieldSession | null => {
    const host = editableAround(deepTarget(event, options.openRoot));
    return host ? attach(host) : null;
  };

  const listen = <K extends keyof WindowEventMap>(type: K, handler: (event: WindowEventMap[K]) => void): void =>
    window.addEventListener(type, handler, { capture: true, passive: true, signal: abort.signal });

  listen("focusin", (event) => {
    current = sessionOf(event) ?? current;
  });
  listen("input", (event) => {
    const known = sessions.get(event.target as HTMLElement);
    if (known && !isFormHost(known.field.host)) {
      current = known;
      return;
    }
    const session = sessionOf(event);
    if (!session) {
      // Passwords, numbers and the like are left alone on purpose.
      if (!isFormHost(deepTarget(event, options.openRoot))) options.onUnreadable();
      return;
    }
    current = session;
    // Rich editors are read when their DOM has changed, by their observer.
    if (isFormHost(session.field.host)) session.sync();
  });
  listen("compositionstart", (event) => sessionOf(event)?.compositionStarted());
  listen("compositionend", (event) => {
    const session = sessionOf(event);
    // The editor finishes its own handling of the composition first.
    if (session) setTimeout(() => session.compositionEnded(), 0);
  });
  listen("pointerdown", (event) => {
    pressedAt = event.isTrusted && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  listen("pointerup", (event) => {
    const start = pressedAt;
    pressedAt = null;
    if (!start || Math.hypot(event.clientX - start.x, event.clientY - start.y) >= CLICK_SLOP_PX) return;
    const host = editableAround(deepTarget(event, options.openRoot));
    const session = host ? sessions.get(host) : undefined;
    if (!session || session.isComposing) return;
    const mark = markAt(session, event.clientX, event.clientY);
    if (mark) options.onMarkClicked(session, mark);
  });
  listen("scroll", () => painter.restore());
  const attachFocused = (): void => {
    const host = editableAround(deepActiveElement(document, options.openRoot));
    if (host) current = attach(host);
  };
  listen("pageshow", attachFocused);

  return {
    start: attachFocused,
    current: () => current,
    sessions: () => sessions.values(),
    sessionOf: (event) => {
      const host = editableAround(deepTarget(event, options.openRoot));
      return (host && sessions.get(host)) ?? null;
    },
    clockOf: (session) => clocks.get(session) ?? { lastEditAt: 0 },
    memory,
    dispose() {
      abort.abort();
      clearInterval(valueTimer);
      for (const host of [...sessions.keys()]) detach(host);
      boxes.dispose();
      painter.dispose();
    },
  };
}

/** The shortest visible mark under a point of the viewport. */
export function markAt(session: FieldSession, x: number, y: number): Mark | null {
  let best: Mark | null = null;
  for (const mark of session.marks) {
    if (mark.look === "quiet" || (best && mark.end - mark.start >= best.end - best.start)) continue;
    const isHit = session.field
      .rects(mark.start, mark.end)
      .some((rect) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom + 2);
    if (isHit) best = mark;
  }
  return best;
}
