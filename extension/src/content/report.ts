/** Tells the background what this frame's fields look like, when that has changed. */
import type { FieldSession } from "../page-core/session";
import type { FrameState } from "../protocol";
import { ask } from "./background";

const COALESCE_MS = 50;
/** A check that takes longer than this is said to be slow. */
export const SLOW_MS = 1_500;

export class Reporter {
  readonly #read: () => FrameState;
  #last = "";
  #isFirst = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: () => FrameState) {
    this.#read = read;
  }

  schedule(delayMs = COALESCE_MS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), delayMs);
  }

  send(): void {
    const frame = this.#read();
    const text = JSON.stringify(frame);
    if (frame.state === "checking") this.schedule(SLOW_MS);
    if (text === this.#last) return;
    this.#last = text;
    ask({ kind: "ReportFrame", frame, isFirst: this.#isFirst }).catch(() => undefined);
    this.#isFirst = false;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}

/** The state of a frame from that of its fields: anything not checked outweighs the rest. */
export function frameState(sessions: Iterable<FieldSession>, now: number): FrameState {
  const frame: FrameState = {
    isAttached: false, state: "empty", code: null, checkedBy: null, profile: null, marks: 0, isUnseen: false,
    typedAt: 0, hasAttachment: false,
  };
  const weight = { empty: 0, checked: 1, checking: 2, slow: 3, failed: 4 } as const;
  for (const session of sessions) {
    frame.isAttached = true;
    frame.marks += session.marks.filter((mark) => mark.look !== "quiet").length;
    const { status } = session;
    const state = status.state === "checking" && now - status.since > SLOW_MS ? "slow" : status.state;
    if (status.state === "checked") {
      frame.checkedBy = frame.checkedBy === "patterns" ? "patterns" : status.by;
      frame.profile = status.profile;
    }
    if (weight[state] <= weight[frame.state]) continue;
    frame.state = state;
    frame.code = status.state === "failed" ? status.code : null;
  }
  return frame;
}
