/** Limen at work in one frame: the fields, the card, the reports. Made when the page is to be checked, disposed when not. */
import { api } from "../browser";
import type { Mark } from "../page-core/mark";
import type { DetectOutcome } from "../page-core/provider";
import type { FieldSession } from "../page-core/session";
import { watch, type Watch } from "../page-core/watch";
import type { FrameRequest, ListedMark, PageSettings } from "../protocol";
import { Layer } from "../ui/layer";
import { languageOf, translator } from "../ui/strings";
import { ask, BackgroundError, isExtensionAlive } from "./background";
import { Choices } from "./choices";
import { KeptPhrases } from "./kept";
import marksCss from "./marks.css";
import { frameState, Reporter } from "./report";

export class Page {
  readonly #settings: PageSettings;
  readonly #kept = new KeptPhrases();
  readonly #lines = new Layer(true);
  readonly #abort = new AbortController();
  readonly #choices: Choices;
  readonly #watch: Watch;
  readonly #reporter: Reporter;
  readonly #t;
  #isUnseen = false;
  #announced = 0;
  #isOrphan = false;

  constructor(settings: PageSettings) {
    this.#settings = settings;
    this.#t = translator(languageOf(settings.language === "auto" ? api.i18n.getUILanguage() : settings.language));
    this.#reporter = new Reporter(() => frameState(this.#watch.sessions(), this.#isUnseen, performance.now()));
    this.#choices = new Choices({
      t: this.#t,
      kept: this.#kept,
      site: () => this.#settings.site,
      clockOf: (session) => this.#watch.clockOf(session),
      refresh: () => this.#refresh(),
    });
    this.#watch = watch({
      detect: (text) => this.#detect(text),
      isKept: (finding) => this.#kept.has(finding),
      layer: () => {
        this.#lines.show();
        return this.#lines.root;
      },
      openRoot: openRootOf,
      prefersBoxes: settings.hiddenMarks,
      shadowStyles: BROWSER === "firefox" ? marksCss : null,
      onChange: (session) => {
        this.#reporter.schedule();
        if (session.status.state === "checked") this.#announce(session);
      },
      onEdit: (session) => this.#choices.edited(session),
      onMarkClicked: (session, mark) => this.#choices.open(session, mark, false),
      onUnreadable: () => {
        this.#isUnseen = true;
        this.#reporter.schedule();
      },
    });
    const options = { capture: true, signal: this.#abort.signal };
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !this.#choices.isOpen) return;
        this.#choices.close();
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      options,
    );
    window.addEventListener(
      "pointerdown",
      (event) => {
        if (!this.#choices.owns(event)) this.#choices.close();
      },
      options,
    );
    this.#reporter.send();
  }

  handle(request: FrameRequest): unknown {
    switch (request.kind) {
      case "ListMarks":
        return this.#list();
      case "ShowMark":
        return this.#showMark(request.id);
      case "Command":
        return this.#command(request.command);
      case "Recheck":
        this.#watch.memory.clear();
        for (const session of this.#watch.sessions()) session.recheck();
        return null;
      default:
        return null;
    }
  }

  dispose(): void {
    this.#abort.abort();
    this.#choices.dispose();
    this.#watch.dispose();
    this.#lines.dispose();
    this.#reporter.dispose();
  }

  async #detect(text: string): Promise<DetectOutcome> {
    try {
      return await ask({ kind: "Detect", text });
    } catch (error) {
      const code = error instanceof BackgroundError ? error.code : "failed";
      if (code === "extension_updated") this.#orphaned();
      return { ok: false, code };
    }
  }

  /** The extension was updated under this page: nothing here works any more, and nothing may look as if it did. */
  #orphaned(): void {
    if (this.#isOrphan) return;
    this.#isOrphan = true;
    const session = this.#watch.current();
    const message = this.#t("stateUpdated");
    queueMicrotask(() => {
      this.#watch.dispose();
      if (session) this.#choices.say(session, message);
    });
  }

  #refresh(): void {
    for (const session of this.#watch.sessions()) session.refresh();
  }

  #list(): ListedMark[] {
    const listed: ListedMark[] = [];
    for (const session of this.#watch.sessions()) {
      for (const mark of session.marks) {
        const { phrase, information, category } = mark.finding;
        listed.push({ id: mark.id, phrase, information, category, look: mark.look });
      }
    }
    return listed;
  }

  #showMark(id: number): boolean {
    for (const session of this.#watch.sessions()) {
      const mark = session.markById(id);
      if (!mark) continue;
      session.field.reveal(mark.start, mark.end);
      this.#choices.open(session, mark, true);
      return true;
    }
    return false;
  }

  #command(command: "open-mark" | "next-mark" | "previous-mark"): boolean {
    if (!document.hasFocus()) return false;
    const session = this.#watch.current();
    const seen = session?.marks.filter((mark) => mark.look !== "quiet") ?? [];
    if (!session || seen.length === 0) return false;
    const mark = pickMark(seen, this.#choices.openMarkId ?? null, session.field.caret()?.focus ?? 0, command);
    session.field.reveal(mark.start, mark.end);
    this.#choices.open(session, mark, true);
    return true;
  }

  /** Says how many marks there are, politely, once per pause. */
  #announce(session: FieldSession): void {
    const count = session.marks.filter((mark) => mark.look !== "quiet").length;
    if (count === this.#announced || !isExtensionAlive()) return;
    this.#announced = count;
    if (count > 0) this.#lines.say(this.#t(count === 1 ? "marksOne" : "marksMany", { count }));
  }
}

/** Next and previous go round; "open" takes the mark nearest to the caret. `marks` is not empty and in order. */
export function pickMark(
  marks: readonly Mark[],
  openId: number | null,
  caret: number,
  command: "open-mark" | "next-mark" | "previous-mark",
): Mark {
  const openIndex = marks.findIndex((mark) => mark.id === openId);
  const count = marks.length;
  if (command === "next-mark") {
    const next = openIndex >= 0 ? openIndex + 1 : marks.findIndex((mark) => mark.start >= caret);
    return marks[(next < 0 ? 0 : next) % count]!;
  }
  if (command === "previous-mark") {
    const previous = openIndex >= 0 ? openIndex - 1 : marks.findLastIndex((mark) => mark.end <= caret);
    return marks[(previous + count) % count] ?? marks[count - 1]!;
  }
  const distance = (mark: Mark): number => Math.max(mark.start - caret, caret - mark.end, 0);
  return marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best));
}

function openRootOf(element: Element): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot;
  const firefox = (element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot;
  if (firefox !== undefined) return firefox;
  return chromiumRoot(element);
}

function chromiumRoot(element: Element): ShadowRoot | null {
  return element instanceof HTMLElement ? (api.dom?.openOrClosedShadowRoot(element) ?? null) : null;
}
