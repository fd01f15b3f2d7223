/** The card and what its buttons do: change the text, tell the daemon, offer the way back. */
import type { Finding } from "../finding";
import type { Mark } from "../page-core/mark";
import { Placeholders } from "../page-core/placeholders";
import { replacePhrase, type EditClock, type ReplaceOutcome } from "../page-core/replace";
import type { FieldSession } from "../page-core/session";
import { themeOf } from "../page-core/theme";
import type { Decision, RecordOutcome } from "../protocol";
import { Card, type Rule } from "../ui/card";
import { Layer } from "../ui/layer";
import type { Anchor } from "../ui/place";
import type { Translate } from "../ui/strings";
import { Toast } from "../ui/toast";
import { ask } from "./background";
import type { KeptPhrases } from "./kept";
import { usualChoice } from "./usual";

export interface ChoicesDeps {
  t: Translate;
  kept: KeptPhrases;
  site: () => string;
  clockOf: (session: FieldSession) => EditClock;
  /** Marks everywhere are to be looked at anew. */
  refresh: () => void;
}

export class Choices {
  readonly #deps: ChoicesDeps;
  readonly #layer = new Layer(false);
  readonly #card: Card;
  readonly #toast: Toast;
  readonly #placeholders = new Placeholders();
  #open: { session: FieldSession; id: number } | null = null;

  constructor(deps: ChoicesDeps) {
    this.#deps = deps;
    this.#card = new Card(this.#layer, deps.t);
    this.#toast = new Toast(this.#layer);
  }

  get isOpen(): boolean {
    return this.#card.isOpen;
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
    const { finding } = mark;
    const anchor = this.#anchor(session, mark);
    const caret = session.field.caret();
    this.#card.open({ finding, theme: themeOf(session.field.host), usual: usualChoice(finding), takesFocus }, anchor, {
      keep: () => void this.#keep(session, mark, "kept"),
      redact: () =>
        void this.#replace(
          session,
          mark,
          this.#placeholders.placeholderFor(finding.phrase, finding.category, session.text),
          "redacted",
        ),
      generalize: (wording) => void this.#replace(session, mark, wording, "generalized"),
      always: (rule) => void this.#always(session, mark, rule),
      copySafe: session.field.kind === "editcontext" ? () => void this.#copySafe(session, mark) : null,
      closed: () => {
        this.#open = null;
        if (takesFocus && caret) session.field.select(caret.anchor, caret.focus, caret.direction);
      },
    });
    this.#open = { session, id: mark.id };
  }

  /** Typing goes on: the card makes way. */
  edited(session: FieldSession): void {
    if (this.#open?.session === session) this.close();
  }

  close(): void {
    this.#card.close();
  }

  /** Says something beside the field, for example that the page must be reloaded. */
  say(session: FieldSession, message: string): void {
    this.#toast.show(message, themeOf(session.field.host), { host: session.field.host, rects: () => [] }, null);
  }

  dispose(): void {
    this.#card.close();
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

  async #keep(session: FieldSession, mark: Mark, decision: Decision): Promise<void> {
    const { t, kept } = this.#deps;
    kept.keep(mark.finding);
    this.#deps.refresh();
    const record = recordDecision(decision, mark.finding);
    this.#show(session, mark, t("kept"), async () => {
      kept.forget(mark.finding);
      this.#deps.refresh();
      await unrecord(record);
    });
    await record;
  }

  async #replace(session: FieldSession, mark: Mark, replacement: string, decision: "redacted" | "generalized"): Promise<void> {
    const { t } = this.#deps;
    const now = session.markById(mark.id) ?? mark;
    const { start } = now;
    const phrase = mark.finding.phrase;
    const outcome = await this.#write(session, start, phrase, replacement);
    if (outcome !== "done") {
      this.#show(session, mark, t(outcome), null);
      return;
    }
    const record = recordDecision(decision, mark.finding);
    this.#show(session, { ...mark, start, end: start + replacement.length }, t(decision), async () => {
      const at = nearest(session.text, replacement, start);
      const undone = at < 0 ? "moved" : await this.#write(session, at, replacement, phrase);
      this.#show(session, mark, t(undone === "done" ? "undone" : undone), null);
      if (undone === "done") await unrecord(record);
    });
    await record;
  }

  #write(session: FieldSession, start: number, phrase: string, replacement: string): Promise<ReplaceOutcome> {
    const request = { start, end: start + phrase.length, phrase, replacement };
    return replacePhrase(session, request, this.#deps.clockOf(session), BROWSER);
  }

  async #always(session: FieldSession, mark: Mark, rule: Rule): Promise<void> {
    const { t, kept } = this.#deps;
    const { finding } = mark;
    const added = await ask({
      kind: "AddRule",
      rule: rule === "redact_phrase" ? "block" : "allow",
      scope: rule === "keep_phrase" || rule === "redact_phrase" ? "value" : rule === "keep_kind" ? "category" : "site",
      value:
        rule === "keep_phrase" || rule === "redact_phrase"
          ? finding.phrase
          : rule === "keep_kind"
            ? finding.category
            : `${this.#deps.site()}/${finding.category}`,
    }).catch(() => ({ ok: false, code: "failed" }) as const);
    if (rule === "redact_phrase") {
      await this.#replace(
        session,
        mark,
        this.#placeholders.placeholderFor(finding.phrase, finding.category, session.text),
        "redacted",
      );
      return;
    }
    if (rule === "keep_phrase") kept.keep(finding);
    else kept.keepKind(finding);
    this.#deps.refresh();
    const message = added.ok ? t("remembered") : t("notRemembered", { reason: t(reasonKey(added.code)) });
    this.#show(session, mark, message, null);
  }

  async #copySafe(session: FieldSession, mark: Mark): Promise<void> {
    let text = session.text;
    for (const other of [...session.marks].sort((a, b) => b.start - a.start)) {
      if (other.look === "quiet") continue;
      const { phrase, category } = other.finding;
      text = text.slice(0, other.start) + this.#placeholders.placeholderFor(phrase, category, text) + text.slice(other.end);
    }
    await navigator.clipboard.writeText(text);
    this.#show(session, mark, this.#deps.t("copied"), null);
  }

  #show(session: FieldSession, mark: Mark, message: string, undo: (() => Promise<void>) | null): void {
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

function recordDecision(decision: Decision, finding: Finding): Promise<RecordOutcome> {
  return ask({ kind: "RecordDecision", decision, finding }).catch(() => ({ ok: false, code: "failed" }) as const);
}

async function unrecord(record: Promise<RecordOutcome>): Promise<void> {
  const outcome = await record;
  if (outcome.ok) await ask({ kind: "DeleteDecision", id: outcome.id }).catch(() => undefined);
}

function reasonKey(code: string): "stateDown" | "stateNotPaired" | "stateLocked" | "stateFailed" {
  if (code === "daemon_down") return "stateDown";
  if (code === "not_paired") return "stateNotPaired";
  return code === "profile_locked" ? "stateLocked" : "stateFailed";
}

