/** The card and what its buttons do: change the text, tell the daemon, offer the way back. */
import type { Mark } from "../page-core/mark";
import { replacePhrase, type EditClock, type ReplaceOutcome } from "../page-core/replace";
import type { FieldSession } from "../page-core/session";
import { themeOf } from "../page-core/theme";
import { Card, type Rule } from "../ui/card";
import { GatePanel } from "../ui/gate";
import { Layer } from "../ui/layer";
import type { Anchor } from "../ui/place";
import type { StringKey, Translate } from "../ui/strings";
import { Toast } from "../ui/toast";
import { clauseAround, type Wording } from "../wording";
import { ask } from "./background";
import type { Conversation } from "./conversation";
import { addRule, recordDecision, takeBack } from "./decisions";
import type { KeptPhrases } from "./kept";
import { usualChoice } from "./usual";

export interface ChoicesDeps {
  t: Translate;
  kept: KeptPhrases;
  conversation: Conversation;
  clockOf: (session: FieldSession) => EditClock;
  /** Marks everywhere are to be looked at anew. */
  refresh: () => void;
  /** All texts are to be asked for anew: a rule that answers rested on is gone. */
  recheck: () => void;
}

interface Replacement {
  phrase: string;
  lead: number;
  replacement: string;
  decision: "redacted" | "generalized" | "blocked_always";
  reached?: Wording["reached"];
}

/** Brings a phrase back after it was replaced, and says so. */
type Undo = () => Promise<void>;

export class Choices {
  readonly #deps: ChoicesDeps;
  readonly #layer = new Layer(false);
  readonly #card: Card;
  readonly #gate: GatePanel;
  readonly #toast: Toast;
  #open: { session: FieldSession; id: number } | null = null;
  /** Fields we are writing into ourselves: their edits do not close what is open. */
  readonly #writing = new Set<FieldSession>();
  #isDisposed = false;

  constructor(deps: ChoicesDeps) {
    this.#deps = deps;
    this.#card = new Card(this.#layer, deps.t);
    this.#gate = new GatePanel(this.#layer, deps.t);
    this.#toast = new Toast(this.#layer);
  }

  get isOpen(): boolean {
    return this.#card.isOpen || this.#gate.isOpen;
  }

  get openMarkId(): number | null {
    return this.#open?.id ?? null;
  }

  /** True for an event that happened in the card or the toast. */
  owns(event: Event): boolean {
    return event.composedPath().includes(this.#layer.host);
  }

  open(session: FieldSession, mark: Mark, takesFocus: boolean): void {
    this.#toast.hide();
    this.#gate.close();
    const { finding } = mark;
    const caret = session.field.caret();
    // Asked now, so that they are there when they are wanted.
    const wordings = this.#wordings(session, mark);
    this.#card.open(
      { finding, theme: themeOf(session.field.host), usual: usualChoice(finding), takesFocus },
      this.#anchor(session, mark),
      {
        keep: () => this.#keep(session, mark),
        redact: () => void this.#redact(session, mark),
        wordings: () => wordings.then(({ offered }) => offered),
        generalize: (wording) => void wordings.then(({ text }) => this.#generalize(session, mark, wording, text)),
        always: (rule) => void this.#always(session, mark, rule),
        copySafe: session.field.kind === "editcontext" ? () => void this.#copySafe(session, mark) : null,
        closed: () => {
          this.#open = null;
          if (takesFocus && caret) session.field.select(caret.anchor, caret.focus, caret.direction);
        },
      },
    );
    this.#open = { session, id: mark.id };
  }

  /** Asks before a message with `marks` in it is sent. */
  hold(session: FieldSession, marks: readonly Mark[], isUnchecked: boolean, send: () => void): void {
    this.close();
    const first = marks[0];
    const caret = session.field.caret();
    this.#gate.open(
      { count: marks.length, isUnchecked, theme: themeOf(session.field.host) },
      first ? this.#anchor(session, first) : { host: session.field.host, rects: () => [] },
      {
        review: () => first && this.open(session, session.markById(first.id) ?? first, true),
        redactAll: () => void this.redactAll(session, marks),
        send,
        // The question took the focus.
        closed: () => caret && session.field.select(caret.anchor, caret.focus, caret.direction),
      },
    );
  }

  /**
   * Numbered in the order they are read in, written from the last to the first, so that those still to come stay where
   * they are. One undo brings all back.
   */
  async redactAll(session: FieldSession, marks: readonly Mark[]): Promise<void> {
    const ordered = [...marks].sort((a, b) => a.start - b.start);
    for (const mark of ordered) await this.#placeholderFor(session, mark);
    const undos: Undo[] = [];
    for (const mark of ordered.toReversed()) {
      const undo = await this.#redact(session, mark);
      if (undo) undos.unshift(undo);
    }
    const first = ordered[0];
    if (!first || undos.length < 2 || undos.length < marks.length) return;
    this.#show(session, first, this.#deps.t("redacted"), async () => {
      for (const undo of undos) await undo();
    });
  }

  /** Typing goes on: the card makes way. */
  edited(session: FieldSession): void {
    if (this.#writing.has(session)) return;
    if (this.#open?.session === session || this.#gate.isOpen) this.close();
  }

  close(): void {
    this.#card.close();
    this.#gate.close();
  }

  /** Says beside the field that the page must be reloaded, or the like; nothing is left when that is gone. */
  sayLast(session: FieldSession, message: string): void {
    this.close();
    const anchor: Anchor = { host: session.field.host, rects: () => [] };
    this.#toast.show(message, themeOf(session.field.host), anchor, null, () => this.dispose());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.close();
    this.#toast.hide();
    this.#layer.dispose();
  }

  #anchor(session: FieldSession, mark: Mark): Anchor {
    return {
      host: session.field.host,
      rects: () => {
        const now = session.markById(mark.id) ?? mark;
        return session.field.rects(now.start, now.end);
      },
    };
  }

  #keep(session: FieldSession, mark: Mark): void {
    const { t, kept, refresh } = this.#deps;
    kept.keep(mark.finding);
    refresh();
    const record = recordDecision("kept", mark.finding);
    this.#show(session, mark, t("kept"), async () => {
      kept.forget(mark.finding);
      refresh();
      await takeBack(record);
    });
  }

  async #redact(session: FieldSession, mark: Mark, decision: "redacted" | "blocked_always" = "redacted"): Promise<Undo | null> {
    const replacement = await this.#placeholderFor(session, mark);
    return this.#replace(session, mark, { phrase: mark.finding.phrase, lead: 0, replacement, decision });
  }

  #placeholderFor(session: FieldSession, mark: Mark): Promise<string> {
    const { start, end } = session.markById(mark.id) ?? mark;
    return this.#deps.conversation.placeholderFor(session.text, start, end, mark.finding.category);
  }

  /** What the daemon offers, and the text before the phrase that it was offered for. */
  async #wordings(session: FieldSession, mark: Mark): Promise<{ offered: Wording[]; text: string }> {
    const clause = clauseAround(session.text, mark.start, mark.end);
    const offered = await ask({ kind: "Wordings", clause, finding: mark.finding }).catch(() => []);
    return { offered, text: clause.text.slice(0, clause.end) };
  }

  async #generalize(session: FieldSession, mark: Mark, { text, lead, reached }: Wording, before: string): Promise<void> {
    const phrase = before.slice(before.length - mark.finding.phrase.length - lead);
    await this.#replace(session, mark, { phrase, lead, replacement: text, decision: "generalized", reached });
  }

  /** `phrase` is what must stand there: the mark's own, with `lead` units before it. Null where nothing was replaced. */
  async #replace(
    session: FieldSession,
    mark: Mark,
    { phrase, lead, replacement, decision, reached }: Replacement,
  ): Promise<Undo | null> {
    const { t } = this.#deps;
    const start = (session.markById(mark.id) ?? mark).start - lead;
    const outcome = await this.#write(session, start, phrase, replacement);
    if (outcome !== "done") {
      this.#show(session, mark, t(outcome), null);
      return null;
    }
    const record = recordDecision(decision, mark.finding, reached);
    const message = t(decision === "generalized" ? "generalized" : "redacted");
    const undo = async (): Promise<void> => {
      const at = nearest(session.text, replacement, start);
      const undone = at < 0 ? "moved" : await this.#write(session, at, replacement, phrase);
      this.#show(session, mark, t(undone === "done" ? "undone" : undone), null);
      if (undone !== "done") return;
      const problem = await takeBack(record);
      // A rule that is still there must not look as if it were gone.
      if (problem !== null) this.#show(session, mark, this.#outcome("undone", problem), null);
      if (decision === "blocked_always") this.#deps.recheck();
    };
    this.#show(session, { ...mark, start, end: start + replacement.length }, message, undo);
    return undo;
  }

  async #write(session: FieldSession, start: number, phrase: string, replacement: string): Promise<ReplaceOutcome> {
    this.#writing.add(session);
    try {
      const request = { start, end: start + phrase.length, phrase, replacement };
      return await replacePhrase(session, request, this.#deps.clockOf(session), BROWSER);
    } finally {
      this.#writing.delete(session);
    }
  }

  async #always(session: FieldSession, mark: Mark, rule: Rule): Promise<void> {
    const { kept, refresh } = this.#deps;
    if (rule === "redact_phrase") {
      await this.#redact(session, mark, "blocked_always");
      return;
    }
    if (rule === "keep_phrase") kept.keep(mark.finding);
    else kept.keepKind(mark.finding);
    refresh();
    const added = await addRule(rule, mark.finding);
    this.#show(session, mark, this.#outcome("remembered", added.problem), async () => {
      if (rule === "keep_phrase") kept.forget(mark.finding);
      else kept.forgetKind(mark.finding);
      refresh();
      const problem = await added.takeBack();
      this.#deps.recheck();
      this.#show(session, mark, this.#outcome("undone", problem), null);
    });
  }

  #outcome(done: "remembered" | "undone", problem: StringKey | null): string {
    const { t } = this.#deps;
    return problem === null ? t(done) : t("notRemembered", { reason: t(problem) });
  }

  async #copySafe(session: FieldSession, mark: Mark): Promise<void> {
    let { text } = session;
    for (const other of [...session.marks].sort((a, b) => b.start - a.start)) {
      if (other.look === "quiet") continue;
      const { category } = other.finding;
      const placeholder = await this.#deps.conversation.placeholderFor(text, other.start, other.end, category);
      text = text.slice(0, other.start) + placeholder + text.slice(other.end);
    }
    await navigator.clipboard.writeText(text);
    this.#show(session, mark, this.#deps.t("copied"), null);
  }

  #show(session: FieldSession, mark: Mark, message: string, undo: Undo | null): void {
    // What was under way is still done, but there is nobody left to say so.
    if (this.#isDisposed) return;
    const anchor: Anchor = {
      host: session.field.host,
      rects: () => session.field.rects(mark.start, Math.min(mark.end, session.text.length)),
    };
    const way = undo ? { label: this.#deps.t("undo"), run: () => void undo() } : null;
    this.#toast.show(message, themeOf(session.field.host), anchor, way);
  }
}

/** Where `words` stand nearest to `offset`; -1 when nowhere. */
export function nearest(text: string, words: string, offset: number): number {
  const before = text.lastIndexOf(words, offset);
  const after = text.indexOf(words, offset);
  if (before < 0 || after < 0) return Math.max(before, after);
  return offset - before <= after - offset ? before : after;
}
