/** Carrying marks through an edit. A mark whose phrase no longer stands where it stood is dropped, never guessed. */
import type { Mark } from "./mark";

/** One replacement: `[start, oldEnd)` of the old text became `[start, newEnd)` of the new. */
export interface Edit {
  start: number;
  oldEnd: number;
  newEnd: number;
}

/** The smallest single replacement that turns `before` into `after`; null when they are equal. */
export function singleEdit(before: string, after: string): Edit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

/** Moves marks in place and returns those still standing on their phrase in `after`. */
export function remap(marks: readonly Mark[], edit: Edit, after: string): Mark[] {
  const shift = edit.newEnd - edit.oldEnd;
  const standing: Mark[] = [];
  for (const mark of marks) {
    if (mark.start >= edit.oldEnd) {
      mark.start += shift;
      mark.end += shift;
    } else if (mark.end > edit.start) {
      continue;
    }
    if (after.startsWith(mark.finding.phrase, mark.start)) standing.push(mark);
  }
  return standing;
}

/** Where an offset of the old text lies in the new one; inside the replaced part it goes to the part's end. */
export function remapOffset(offset: number, edit: Edit): number {
  if (offset <= edit.start) return offset;
  return offset >= edit.oldEnd ? offset + edit.newEnd - edit.oldEnd : edit.newEnd;
}
