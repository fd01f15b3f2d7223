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
  // Halves are compared by the engine itself: a long text costs microseconds, and this runs on every key.
  const start = longest(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const [oldLength, newLength] = [before.length, after.length];
  const tail = longest(
    shorter - start,
    (from, to) => before.slice(oldLength - to, oldLength - from) === after.slice(newLength - to, newLength - from),
  );
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

/** The largest `n` up to `most` for which `isSame(0, n)`, asked only about parts not known yet. */
function longest(most: number, isSame: (from: number, to: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isSame(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
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
