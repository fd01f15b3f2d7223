/**
 * One field under watch: keeps its marks on their phrases through every edit, and has changed text checked once the
 * typing pauses. An answer is filed under the text it was asked for, so a late one can never mark another text.
 */
import type { Finding } from "../finding";
import type { Field } from "./field";
import { makeMark, lookOf, type Mark } from "./mark";
import type { ParagraphMemory } from "./memory";
import { nextBatch, resplitParagraphs, type Batch, type Paragraph } from "./paragraphs";
import type { Detect, DetectAnswer, FailureCode } from "./provider";
import { remap, singleEdit, type Edit } from "./remap";

/** After a failure the text is tried again by itself, ever more rarely. */
const RETRY_MS = [2_000, 5_000, 15_000, 30_000] as const;
/** More marks than this help nobody and repaint slowly. */
const MAX_MARKS = 200;

export type CheckStatus =
  | { state: "empty" }
  /** Some of the text has not been answered for yet; `since` is a `performance.now()` time. */
  | { state: "checking"; since: number }
  | { state: "checked"; by: DetectAnswer["checkedBy"]; profile: DetectAnswer["profile"] }
  | { state: "failed"; code: FailureCode };

export interface SessionDeps {
  detect: Detect;
  memory: ParagraphMemory;
  /** Pause in typing after which the text is checked. */
  debounceMs: number;
  /** True for a phrase the user chose to keep here; it stays unmarked. */
  isKept: (finding: Finding) => boolean;
  onChange: (session: FieldSession) => void;
  onEdit: (session: FieldSession, edit: Edit) => void;
}

export class FieldSession {
  readonly field: Field;
  readonly #deps: SessionDeps;
  #text = "";
  #marks: Mark[] = [];
  #paragraphs: Paragraph[] = [];
  #status: CheckStatus = { state: "empty" };
  #lastAnswer: Pick<DetectAnswer, "checkedBy" | "profile"> = { checkedBy: "model", profile: "off" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer goes off, and when the text is to be checked: a `performance.now()` time each. */
  #timerAt = Infinity;
  #dueAt = Infinity;
  #isAsking = false;
  #isComposing = false;
  #isDisposed = false;
  #failures = 0;

  constructor(field: Field, deps: SessionDeps) {
    this.field = field;
    this.#deps = deps;
    field.lookAround();
    this.sync();
  }

  get text(): string {
    return this.#text;
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  get status(): CheckStatus {
    return this.#status;
  }

  get isComposing(): boolean {
    return this.#isComposing;
  }

  /**
   * Call on every edit, in the same task: marks move before the next paint. `records`: all that changed in the editor
   * since the last call, where that is known.
   */
  sync(records?: readonly MutationRecord[]): void {
    if (this.#isDisposed) return;
    const text = records ? this.field.readAfter(records) : this.field.read();
    const edit = singleEdit(this.#text, text);
    if (edit) {
      this.#text = text;
      this.#marks = remap(this.#marks, edit, text);
      this.#paragraphs = resplitParagraphs(this.#paragraphs, edit, text);
      this.#findMarks();
    }
    this.field.paint(this.#marks);
    if (!edit) return;
    this.#failures = 0;
    this.#schedule(this.#deps.debounceMs);
    this.#updateStatus();
    this.#deps.onEdit(this, edit);
    this.#deps.onChange(this);
  }

  compositionStarted(): void {
    this.#isComposing = true;
    this.#unschedule();
  }

  compositionEnded(): void {
    this.#isComposing = false;
    this.sync();
    this.#schedule(this.#deps.debounceMs);
  }

  /** Looks at what is kept and how it looks anew, without asking again. */
  refresh(): void {
    this.#applyMemory();
    this.field.lookAround();
    this.field.paint(this.#marks);
    this.#deps.onChange(this);
  }

  /** Asks again for everything, as after a change of the detector or the profile. */
  recheck(): void {
    this.#failures = 0;
    this.#updateStatus();
    this.#schedule(0);
    this.#deps.onChange(this);
  }

  markById(id: number): Mark | undefined {
    return this.#marks.find((mark) => mark.id === id);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#unschedule();
    this.#marks = [];
    this.field.dispose();
  }

  #applyMemory(): void {
    this.#findMarks();
    for (const mark of this.#marks) mark.look = this.#lookOf(mark.finding);
  }

  #lookOf(finding: Finding): Mark["look"] {
    return this.#deps.isKept(finding) ? "quiet" : lookOf(finding);
  }

  /**
   * Marks of every answered paragraph come from its answer; elsewhere the moved ones stay until it is answered. Those
   * that were there keep their look: this runs on every key.
   */
  #findMarks(): void {
    const before = this.#marks;
    const known = new Map<Finding, Mark[]>();
    for (const mark of before) {
      const same = known.get(mark.finding);
      if (same) same.push(mark);
      else known.set(mark.finding, [mark]);
    }
    const marks: Mark[] = [];
    let next = 0;
    const skipTo = (offset: number): void => {
      while (next < before.length && before[next]!.start < offset) next += 1;
    };
    const keepTo = (offset: number): void => {
      for (; next < before.length && before[next]!.start < offset; next += 1) marks.push(before[next]!);
    };
    for (const paragraph of this.#paragraphs) {
      const answer = this.#deps.memory.get(paragraph.key);
      if (!answer) continue;
      keepTo(paragraph.start);
      skipTo(paragraph.start + paragraph.text.length);
      for (const finding of answer) {
        const start = paragraph.start + finding.start;
        if (!this.#text.startsWith(finding.phrase, start)) continue;
        const same = known.get(finding)?.find((mark) => mark.start === start);
        marks.push(same ?? this.#newMark(finding, paragraph.start));
      }
    }
    keepTo(Infinity);
    marks.sort((a, b) => a.start - b.start);
    this.#marks = marks.length > MAX_MARKS ? marks.slice(0, MAX_MARKS) : marks;
  }

  #newMark(finding: Finding, paragraphStart: number): Mark {
    const mark = makeMark(finding, paragraphStart);
    mark.look = this.#lookOf(finding);
    return mark;
  }

  #updateStatus(): void {
    const isOpen = this.#paragraphs.some((paragraph) => !this.#deps.memory.has(paragraph.key));
    if (this.#paragraphs.length === 0) this.#status = { state: "empty" };
    else if (!isOpen) this.#status = { state: "checked", by: this.#lastAnswer.checkedBy, profile: this.#lastAnswer.profile };
    else if (this.#status.state !== "checking") this.#status = { state: "checking", since: performance.now() };
  }

  /** Every key puts the check off, but costs no new timer: one that goes off early waits for the rest. */
  #schedule(delayMs: number): void {
    if (this.#isDisposed || this.#isComposing) {
      this.#unschedule();
      return;
    }
    const now = performance.now();
    this.#dueAt = now + delayMs;
    if (this.#timerAt <= this.#dueAt) return;
    this.#unschedule();
    this.#setTimer(now, this.#dueAt);
  }

  #setTimer(now: number, dueAt: number): void {
    this.#dueAt = this.#timerAt = dueAt;
    this.#timer = setTimeout(() => this.#wake(), dueAt - now);
  }

  #wake(): void {
    this.#timerAt = Infinity;
    const now = performance.now();
    // Timers keep whole milliseconds.
    if (this.#dueAt - now >= 1) this.#setTimer(now, this.#dueAt);
    else void this.#ask();
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    this.#timerAt = Infinity;
  }

  async #ask(): Promise<void> {
    // One question at a time: the next is put when this one is answered.
    if (this.#isAsking || this.#isDisposed || this.#isComposing) return;
    // Reads everything once more, in case something changed that no event told of.
    if (this.field.read() !== this.#text) this.sync();
    const batch = nextBatch(this.#paragraphs, (key) => this.#deps.memory.has(key), this.field.caret()?.focus ?? 0);
    if (!batch) return;
    const asked = this.#text;
    this.#isAsking = true;
    const outcome = await this.#deps.detect(asked.slice(batch.start, batch.end));
    this.#isAsking = false;
    if (this.#isDisposed) return;
    if (!outcome.ok) {
      this.#fail(outcome.code);
      return;
    }
    this.#failures = 0;
    this.#lastAnswer = outcome.answer;
    this.#file(batch, outcome.answer.findings);
    if (this.#text === asked || !this.#isComposing) this.#applyMemory();
    this.#updateStatus();
    this.field.lookAround();
    this.field.paint(this.#marks);
    this.#deps.onChange(this);
    // Text that changed meanwhile waits for its own pause; what was left over from this text goes on at once.
    if (this.#text === asked) this.#schedule(0);
    else this.#schedule(this.#deps.debounceMs);
  }

  #file(batch: Batch, findings: readonly Finding[]): void {
    for (const paragraph of batch.paragraphs) {
      const from = paragraph.start - batch.start;
      const to = from + paragraph.text.length;
      const own = findings
        .filter((finding) => finding.start >= from && finding.start < to)
        .map((finding) => ({ ...finding, start: finding.start - from, end: finding.end - from }));
      this.#deps.memory.set(paragraph.key, own);
    }
  }

  #fail(code: FailureCode): void {
    if (code !== "busy") this.#status = { state: "failed", code };
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)]!;
    this.#failures += 1;
    this.#deps.onChange(this);
    if (code !== "extension_updated") this.#schedule(wait);
  }
}
