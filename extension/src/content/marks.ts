/** Which mark a key command means. */
import type { Mark } from "../page-core/mark";

export type MarkCommand = "open-mark" | "next-mark" | "previous-mark";

/** Next and previous go round; "open" takes the mark nearest to the caret. `marks` is not empty and in order. */
export function pickMark(marks: readonly Mark[], openId: number | null, caret: number, command: MarkCommand): Mark {
  const openIndex = marks.findIndex((mark) => mark.id === openId);
  const count = marks.length;
  if (command === "next-mark") {
    const next = openIndex >= 0 ? openIndex + 1 : marks.findIndex((mark) => mark.start >= caret);
    return marks[(next < 0 ? 0 : next) % count]!;
  }
  if (command === "previous-mark") {
    const previous = openIndex >= 0 ? openIndex - 1 : marks.findLastIndex((mark) => mark.end <= caret);
    return marks[previous < 0 ? count - 1 : previous]!;
  }
  const distance = (mark: Mark): number => Math.max(mark.start - caret, caret - mark.end, 0);
  return marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best));
}
