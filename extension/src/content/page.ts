/** Limen at work in one frame: the fields, the card, the reports. Made when the page is to be checked, disposed when not. */
import { api } from "../browser";
import type { Finding } from "../finding";
import type { Mark } from "../page-core/mark";
import type { DetectOutcome } from "../page-core/provider";
import type { FieldSession } from "../page-core/session";
import { watch, type Watch } from "../page-core/watch";
import type { FrameRequest, ListedMark, PageSettings } from "../protocol";
import { Layer } from "../ui/layer";
import { Replies } from "../ui/replies";
import { translateFrom, type Translate } from "../ui/strings/translate";
import { Attachments } from "./attachments";
import { ask, BackgroundError } from "./background";
import { Choices } from "./choices";
import { Conversation } from "./conversation";
import { recordDecision } from "./decisions";
import { KeptPhrases } from "./kept";
import { pickMark, type MarkCommand } from "./marks";
import marksCss from "./marks.css";
import { frameState, Reporter } from "./report";
import { Sending } from "./sending";
import { UnseenTyping } from "./unseen";

const isSeen = (mark: Mark): boolean => mark.look !== "quiet";

export class Page {
  readonly #settings: PageSettings;
  readonly #t: Translate;
  readonly #kept = new KeptPhrases();
  readonly #lines = new Layer(true);
  readonly #abort = new AbortController();
  readonly #conversation: Conversation;
  readonly #replies: Replies;
  readonly #choices: Choices;
  readonly #watch: Watch;
  readonly #reporter: Reporter;
  readonly #sending: Sending;
  readonly #attachments: Attachments;
  readonly #unseen: UnseenTyping;
  readonly #reported = new WeakMap<FieldSession, string>();
  #announced = 0;
  #isOrphan = false;

  constructor(settings: PageSettings) {
    this.#settings = settings;
    this.#t = translateFrom(settings.strings);
    const root = (): ShadowRoot => {
      this.#lines.show();
      return this.#lines.root;
    };
    this.#reporter = new Reporter(() => ({
      ...frameState(this.#watch.sessions(), performance.now()),
      isUnseen: this.#unseen.isSeen,
      typedAt: this.#unseen.typedAt,
      hasAttachment: this.#attachments.isThere,
    }));
    this.#unseen = new UnseenTyping(() => this.#reporter.schedule());
    this.#attachments = new Attachments(() => this.#reporter.schedule());
    this.#replies = new Replies(root, () => this.#t("restoredTitle"));
    this.#conversation = new Conversation(settings.placeholderStyle, (entries) => {
      // The answer may come when the page is not checked any more.
      if (settings.restoresReplies && !this.#abort.signal.aborted) this.#replies.set(entries);
    });
    this.#choices = new Choices({
      t: this.#t,
      kept: this.#kept,
      conversation: this.#conversation,
      clockOf: (session) => this.#watch.clockOf(session),
      refresh: () => this.#refresh(),
      recheck: () => this.#recheck(),
    });
    this.#watch = watch({
      detect: (text) => this.#detect(text),
      isKept: (finding) => this.#isKept(finding),
      layer: root,
      openRoot: openRootOf,
      prefersBoxes: settings.hiddenMarks,
      style: { ...settings.markStyle, isHighContrast: settings.markStyle.isHighContrast || matchMedia("(prefers-contrast: more)").matches },
      debounceMs: settings.debounceMs,
      shadowStyles: BROWSER === "firefox" ? marksCss : null,
      onChange: (session) => this.#changed(session),
      onEdit: (session) => {
        this.#choices.edited(session);
        this.#sending.edited(session);
        // Scripts may change a field while the user types elsewhere.
        if (hasFocus(session.field.host)) this.#unseen.fieldTyped();
      },
      onGone: (session) => this.#sending.gone(session),
      onMarkClicked: (session, mark) => this.#choices.open(session, mark, false),
      onUnreadable: () => this.#unseen.note(),
    });
    this.#sending = new Sending({
      gate: () => settings.gate,
      sendHints: settings.sendHints,
      isEnterSending: settings.isEnterSending,
      sessionOf: (event) => this.#watch.sessionOf(event),
      current: () => this.#watch.current(),
      hold: (session, marks, isUnchecked, send) => this.#choices.hold(session, marks, isUnchecked, send),
      sent: (marks) => this.#sent(marks),
      sentWithoutText: () => this.#attachments.clear(),
    });
    this.#listen();
    this.#watch.start();
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
        this.#recheck();
        return null;
      default:
        return null;
    }
  }

  dispose(): void {
    this.#stop();
    this.#choices.dispose();
  }

  /** Everything but what is being said. */
  #stop(): void {
    this.#abort.abort();
    this.#sending.dispose();
    this.#attachments.dispose();
    this.#unseen.dispose();
    this.#watch.dispose();
    this.#replies.dispose();
    this.#lines.dispose();
    this.#reporter.dispose();
  }

  #listen(): void {
    const options = { capture: true, signal: this.#abort.signal };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !this.#choices.isOpen) return;
      this.#choices.close();
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", escape, options);
    const press = (event: Event): void => {
      if (!this.#choices.owns(event)) this.#choices.close();
    };
    window.addEventListener("pointerdown", press, options);
  }

  #isKept(finding: Finding): boolean {
    return this.#kept.has(finding) || this.#settings.quietKinds.includes(finding.category);
  }

  #changed(session: FieldSession): void {
    this.#reportIfNew(session);
    // Not on every key: the page may have gone to another conversation.
    if (session.status.state !== "checking") this.#conversation.follow();
    if (session.status.state === "checked") this.#announce(session);
  }

  /** Keys change nothing of what is reported, as long as the state and the number of marks stay. */
  #reportIfNew(session: FieldSession): void {
    const { status } = session;
    const detail = status.state === "failed" ? status.code : status.state === "checked" ? `${status.by} ${status.profile}` : "";
    const now = `${status.state} ${detail} ${session.marks.filter(isSeen).length}`;
    if (this.#reported.get(session) === now) return;
    this.#reported.set(session, now);
    this.#reporter.schedule();
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
    queueMicrotask(() => {
      this.#stop();
      if (session) this.#choices.sayLast(session, this.#t("stateUpdated"));
      else this.#choices.dispose();
    });
  }

  #sent(marks: readonly Mark[]): void {
    this.#attachments.clear();
    for (const mark of marks) void recordDecision("sent", mark.finding);
  }

  #refresh(): void {
    for (const session of this.#watch.sessions()) session.refresh();
  }

  #recheck(): void {
    this.#watch.memory.clear();
    for (const session of this.#watch.sessions()) session.recheck();
  }

  #list(): ListedMark[] {
    return [...this.#watch.sessions()].flatMap((session) =>
      session.marks.map(({ id, look, finding: { phrase, information, category } }) => ({
        id, phrase, information, category, look,
      })),
    );
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

  #command(command: MarkCommand): boolean {
    const session = this.#watch.current();
    const seen = session?.marks.filter(isSeen) ?? [];
    if (!document.hasFocus() || !session || seen.length === 0) return false;
    const mark = pickMark(seen, this.#choices.openMarkId, session.field.caret()?.focus ?? 0, command);
    session.field.reveal(mark.start, mark.end);
    this.#choices.open(session, mark, true);
    return true;
  }

  /** Says how many marks there are, politely, once per pause. */
  #announce(session: FieldSession): void {
    const count = session.marks.filter(isSeen).length;
    if (count === this.#announced) return;
    this.#announced = count;
    if (count > 0) this.#lines.say(this.#t(count === 1 ? "marksOne" : "marksMany", { count }));
  }
}

function hasFocus(host: HTMLElement): boolean {
  return host.contains((host.getRootNode() as Document | ShadowRoot).activeElement ?? null);
}

/** Extensions may look into closed shadow roots; each browser has its own way. */
function openRootOf(element: Element): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot;
  const firefox = (element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot;
  if (firefox !== undefined) return firefox;
  return element instanceof HTMLElement ? (api.dom?.openOrClosedShadowRoot(element) ?? null) : null;
}
