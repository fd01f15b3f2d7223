/** One sentence for the state of a whole page, from what its frames say. Used by the toolbar icon and the popup. */
import type { FrameState } from "./protocol";
import type { StringKey } from "./ui/strings";

export type Icon = "on" | "off" | "unseen" | "unchecked";

export interface PageState {
  icon: Icon;
  text: StringKey;
  count: number;
  minutes?: number;
  action: StringKey | null;
}

const FAILURE: Readonly<Record<string, readonly [StringKey, StringKey | null]>> = {
  daemon_down: ["stateDown", "actionStart"],
  not_paired: ["stateNotPaired", "actionConnect"],
  pairing_locked: ["statePairingLocked", "actionDetails"],
  timed_out: ["stateTimedOut", null],
  too_long: ["stateTooLong", null],
  extension_updated: ["stateUpdated", "actionReload"],
  detector_failed: ["stateFailed", "actionDetails"],
  failed: ["stateFailed", "actionDetails"],
};

const state = (icon: Icon, text: StringKey, count: number, action: StringKey | null): PageState => ({
  icon, text, count, action,
});

export interface Switches {
  isOn: boolean;
  /** Milliseconds since 1970. */
  pausedUntil: number;
}

/** A field that can be read says nothing about what is typed elsewhere, unless it was typed in later. */
function isTypingUnseen(frames: readonly FrameState[]): boolean {
  const latest = (isUnseen: boolean): number =>
    Math.max(-1, ...frames.filter((frame) => frame.isUnseen === isUnseen).map((frame) => frame.typedAt));
  return latest(true) > latest(false);
}

/** The worst news first: anything unchecked outweighs whatever was found or not found elsewhere on the page. */
export function pageState(frames: readonly FrameState[], switches: Switches, now = Date.now()): PageState {
  if (!switches.isOn) return state("off", "stateOff", 0, null);
  if (switches.pausedUntil > now) {
    return { ...state("off", "statePaused", 0, "actionResume"), minutes: Math.ceil((switches.pausedUntil - now) / 60_000) };
  }
  const count = frames.reduce((sum, frame) => sum + frame.marks, 0);
  const failed = frames.find((frame) => frame.state === "failed");
  if (failed) {
    const [text, action] = FAILURE[failed.code ?? "failed"] ?? FAILURE["failed"]!;
    return state("unchecked", text, count, action);
  }
  if (isTypingUnseen(frames)) return state("unseen", "stateUnseen", count, "actionReport");
  if (frames.some((frame) => frame.hasAttachment)) return state("unchecked", "stateAttachments", count, null);
  if (frames.some((frame) => frame.state === "slow")) return state("on", "stateSlow", count, null);
  if (frames.some((frame) => frame.checkedBy === "patterns")) {
    return state("unchecked", "statePatterns", count, "actionDetails");
  }
  if (frames.some((frame) => frame.profile === "locked")) {
    return state("unchecked", "stateLocked", count, "actionUnlock");
  }
  if (count > 0) return state("on", count === 1 ? "stateMarksOne" : "stateMarksMany", count, "actionShow");
  const isChecked = frames.some((frame) => frame.state === "checked");
  const isChecking = frames.some((frame) => frame.state === "checking");
  return state("on", isChecked && !isChecking ? "stateFine" : "stateEmpty", 0, null);
}
