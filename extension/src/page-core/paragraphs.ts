/** Cutting a field's text into the pieces that are checked and remembered one by one. */

import type { Edit } from "./remap";

export interface Paragraph {
  /** Offset in the field's text, in UTF-16 units. */
  start: number;
  text: string;
  /** Names the paragraph together with the one before it, which may change what it means. */
  key: string;
}

/** A text up to this length is checked as a whole: the detector judges a message better than its parts. */
export const WHOLE_TEXT_CHARS = 1500;
/** Longest piece, and longest batch, sent at once. */
export const PIECE_CHARS = 2000;

const SENTENCE_END = /[.!?。！？；;]["')\]”’]*\s+|[。！？；]/gu;

/** Cuts one line into pieces of at most `PIECE_CHARS`, at a sentence end where there is one, else at a space. */
function cutLine(line: string): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > PIECE_CHARS) {
    const head = rest.slice(0, PIECE_CHARS);
    let cut = 0;
    for (const match of head.matchAll(SENTENCE_END)) cut = match.index + match[0].length;
    if (cut < PIECE_CHARS / 4) cut = head.lastIndexOf(" ") + 1;
    if (cut < PIECE_CHARS / 4) cut = isHighSurrogate(head.charCodeAt(PIECE_CHARS - 1)) ? PIECE_CHARS - 1 : PIECE_CHARS;
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  pieces.push(rest);
  return pieces;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Non-blank paragraphs in order; together with the line breaks between them they are the text. */
export function splitParagraphs(text: string): Paragraph[] {
  if (text.length <= WHOLE_TEXT_CHARS) return text.trim() === "" ? [] : [{ start: 0, text, key: `\n${text}` }];
  return cutLines(text, 0, "");
}

/** `text` begins at `start` of the field's text, after the paragraph `previous`. */
function cutLines(text: string, start: number, previous: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const line of text.split("\n")) {
    for (const piece of cutLine(line)) {
      if (piece.trim() !== "") {
        paragraphs.push({ start, text: piece, key: `${previous}\n${piece}` });
        previous = piece;
      }
      start += piece.length;
    }
    start += 1;
  }
  return paragraphs;
}

/**
 * What `splitParagraphs(text)` gives, made from the paragraphs before the edit: only the lines that the edit touched
 * are cut anew, and the keys of all others are the same strings, so that looking them up costs next to nothing.
 */
export function resplitParagraphs(before: readonly Paragraph[], edit: Edit, text: string): Paragraph[] {
  const shift = edit.newEnd - edit.oldEnd;
  if (text.length <= WHOLE_TEXT_CHARS || text.length - shift <= WHOLE_TEXT_CHARS) return splitParagraphs(text);
  const from = edit.start === 0 ? 0 : text.lastIndexOf("\n", edit.start - 1) + 1;
  const lineEnd = text.indexOf("\n", edit.newEnd);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const kept: Paragraph[] = [];
  let next = 0;
  for (; next < before.length && before[next]!.start < from; next += 1) kept.push(before[next]!);
  while (next < before.length && before[next]!.start <= to - shift) next += 1;
  const cut = cutLines(text.slice(from, to), from, kept.at(-1)?.text ?? "");
  kept.push(...cut);
  let isFirst = true;
  for (; next < before.length; next += 1) {
    const { start, text: piece, key } = before[next]!;
    // The one right after the edit follows another paragraph now.
    kept.push({ start: start + shift, text: piece, key: isFirst ? `${kept.at(-1)?.text ?? ""}\n${piece}` : key });
    isFirst = false;
  }
  return kept;
}

export interface Batch {
  /** `[start, end)` of the field's text that is sent. */
  start: number;
  end: number;
  paragraphs: Paragraph[];
}

/** The next run of neighbouring unchecked paragraphs, the one at the caret first; null when all are checked. */
export function nextBatch(
  paragraphs: readonly Paragraph[],
  isChecked: (key: string) => boolean,
  caret: number,
): Batch | null {
  const open = paragraphs.map((paragraph) => !isChecked(paragraph.key));
  let first = paragraphs.findIndex(
    (paragraph, index) => open[index] && caret <= paragraph.start + paragraph.text.length,
  );
  if (first < 0) first = open.indexOf(true);
  const head = paragraphs[first];
  if (head === undefined) return null;
  const run = [head];
  for (let index = first + 1; open[index]; index += 1) {
    const paragraph = paragraphs[index]!;
    if (paragraph.start + paragraph.text.length - head.start > PIECE_CHARS) break;
    run.push(paragraph);
  }
  const last = run[run.length - 1]!;
  return { start: head.start, end: last.start + last.text.length, paragraphs: run };
}
