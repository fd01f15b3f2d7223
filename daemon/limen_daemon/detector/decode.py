"""From a token classifier's logits to phrases: numpy only, no model, no I/O.

Tokens are first pooled into *units*, so that a phrase can never begin or end inside a word: the pieces
of one word form one unit; in scripts written without spaces each token is its own unit. Then the best
legal BIO sequence (Viterbi) gives the spans, and a span's other heads are averaged over its tokens.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from limen_daemon.detector.layout import HEADS, LabelLayout
from limen_daemon.detector.script import is_han
from limen_daemon.detector.telling import tells_something, without_link
from limen_daemon.findings import Category, Subject

Floats = npt.NDArray[np.float32]
Offsets = Sequence[tuple[int, int]]

OUTSIDE, BEGIN, INSIDE = 0, 1, 2

_RESCUE_BIASES = (1.0, 2.0, 3.0)

# Scripts without spaces between words: there a word boundary cannot be seen, so tokens stand alone.
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "BOPOMOFO")


class DecodingRules(BaseModel):
    """When a span or a text counts as disclosing. Chosen on held-out training data, kept in the manifest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    min_leak: float = Field(default=0.5, ge=0, le=1)
    """Leak score from which a text may have findings at all."""
    min_span: float = Field(default=0.5, ge=0, le=1)
    """Mean in-phrase probability that a span needs."""
    leak_weight: float = Field(default=0.5, ge=0, le=1)
    """Share of the leak head in the leak score; the rest is the best span's score."""
    inside_bias: float = Field(default=0.0, ge=-5, le=5)
    """Added to the log-odds of being in a phrase before the best sequence is sought."""
    sure_leak: float = Field(default=1.0, ge=0, le=1)
    """Leak head from which a text without any phrase is decoded again with ever more bias; 1 is never."""
    han: DecodingRules | None = None
    """Rules of their own for Chinese texts (`is_han`); none: these hold for every text."""

    def of(self, text: str) -> DecodingRules:
        """The rules that hold for `text`."""
        return self.han if self.han is not None and is_han(text) else self


@dataclass(frozen=True, slots=True)
class DecodedSpan:
    """One phrase as code-point offsets `[start, end)` of the text, with what the heads say about it."""

    start: int
    end: int
    score: float
    category: Category
    subject: Subject
    granularity: int
    identifiability: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """The spans of one text, sorted, disjoint, before the leak rule; `leak` is the leak head at token 0."""

    spans: tuple[DecodedSpan, ...]
    leak: float


def softmax(logits: Floats) -> Floats:
    """Softmax over the last axis."""
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), dtype=np.float32)


def is_unspaced(char: str) -> bool:
    """Whether `char` belongs to a script that puts no spaces between words."""
    return ord(char) > 0x0E00 and unicodedata.name(char, "").startswith(_UNSPACED)


def joins_word(left: str, right: str) -> bool:
    """Whether no boundary lies between two neighbouring characters: both are parts of one word."""
    return (
        (left.isalnum() or unicodedata.combining(left) > 0)
        and (right.isalnum() or unicodedata.combining(right) > 0)
        and not is_unspaced(left)
        and not is_unspaced(right)
    )


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Drop whitespace at both ends of `[start, end)`; an all-blank range becomes empty."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


@dataclass(frozen=True, slots=True)
class Units:
    """Units of a text: `first[k]` is where unit k begins in `tokens`, the indices of tokens with any text."""

    tokens: npt.NDArray[np.intp]
    first: npt.NDArray[np.intp]
    start: npt.NDArray[np.intp]
    end: npt.NDArray[np.intp]


def units_of(text: str, offsets: Offsets) -> Units:
    """Pool tokens (offsets in code points; special tokens are empty ranges) into units."""
    tokens: list[int] = []
    first: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, (raw_start, raw_end) in enumerate(offsets):
        start, end = trimmed(text, raw_start, raw_end)
        if start >= end:
            continue
        glued = bool(ends) and (
            start < ends[-1] or (start == ends[-1] and joins_word(text[start - 1], text[start]))
        )
        if glued:
            ends[-1] = max(ends[-1], end)
        else:
            first.append(len(tokens))
            starts.append(start)
            ends.append(end)
        tokens.append(index)
    return Units(*(np.asarray(values, dtype=np.intp) for values in (tokens, first, starts, ends)))


def unit_tags(tags: Floats, units: Units, *, inside_bias: float = 0.0) -> Floats:
    """Pool token tag probabilities (n_tokens, 3) into unit probabilities (n_units, 3).

    In-phrase probability is the mean over the word's pieces; how it divides into B and I is what the
    first piece says, since only a first piece can begin a phrase.
    """
    if not len(units.first):
        return np.zeros((0, 3), dtype=np.float32)
    kept = tags[units.tokens]
    counts = np.diff(np.append(units.first, len(units.tokens)))
    inside = np.add.reduceat(1.0 - kept[:, OUTSIDE], units.first) / counts
    inside = np.clip(inside, 1e-6, 1 - 1e-6)
    if inside_bias:
        inside = 1.0 / (1.0 + (1.0 - inside) / inside * np.exp(-inside_bias))
    head = kept[units.first]
    begin_share = np.clip(head[:, BEGIN] / np.maximum(head[:, BEGIN] + head[:, INSIDE], 1e-9), 1e-6, 1 - 1e-6)
    pooled = np.stack([1.0 - inside, inside * begin_share, inside * (1.0 - begin_share)], axis=1)
    return pooled.astype(np.float32)


def best_tags(probabilities: Floats) -> list[int]:
    """The most probable legal tag sequence (I never follows O, nor opens the text) by Viterbi."""
    if not len(probabilities):
        return []
    scores = np.log(np.maximum(probabilities, 1e-12)).tolist()
    outside, begin, inside = scores[0][OUTSIDE], scores[0][BEGIN], -np.inf
    back: list[tuple[int, int, int]] = []
    for o_score, b_score, i_score in scores[1:]:
        best, best_tag = outside, OUTSIDE
        if begin > best:
            best, best_tag = begin, BEGIN
        if inside > best:
            best, best_tag = inside, INSIDE
        into_inside, inside_tag = (begin, BEGIN) if begin >= inside else (inside, INSIDE)
        back.append((best_tag, best_tag, inside_tag))
        outside, begin, inside = best + o_score, best + b_score, into_inside + i_score
    tag = int(np.argmax([outside, begin, inside]))
    path = [tag]
    for pointers in reversed(back):
        tag = pointers[tag]
        path.append(tag)
    return path[::-1]


def spans_of(tags: Sequence[int]) -> list[tuple[int, int]]:
    """Unit ranges `[first, last + 1)` of the phrases in a legal tag sequence."""
    spans: list[tuple[int, int]] = []
    start = -1
    for index, tag in enumerate([*tags, OUTSIDE]):
        if tag != INSIDE and start >= 0:
            spans.append((start, index))
            start = -1
        if tag == BEGIN:
            start = index
    return spans


_OPENERS = "\"'“‘(（[【《「『<"
_CLOSERS = {
    '"': '"',
    "'": "'",
    "”": "“",
    "’": "‘",
    ")": "(",
    "）": "（",
    "]": "[",
    "】": "【",
    "》": "《",
    "」": "「",
    "』": "『",
    ">": "<",
}
_EDGE = ",.;:!?，。；：！？、…~～·-–—*#|/\\ \t\r\n"


def tidy_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """Take punctuation off both ends; a bracket or quote goes only when its partner is outside."""
    while True:
        before = (start, end)
        start, end = trimmed(text, start, end)
        if start < end and (text[start] in _EDGE and not _is_sign(text, start, end)):
            start += 1
        if start < end and text[end - 1] in _EDGE:
            end -= 1
        if start < end:
            inner = text[start:end]
            closer = _CLOSERS.get(inner[-1])
            if (
                closer is not None
                and closer not in inner[:-1]
                and not (inner[-1] == "'" and len(inner) > 1 and inner[-2] == "s")
            ):
                end -= 1
            elif inner[0] in _OPENERS and not any(_CLOSERS.get(c) == inner[0] for c in inner[1:]):
                start += 1
        if (start, end) == before:
            return start, end


def _is_sign(text: str, start: int, end: int) -> bool:
    """Whether the first character is a sign or a point that belongs to a number, as in `-5` or `.5`."""
    return text[start] in "-." and start + 1 < end and text[start + 1].isdigit()


def decode(
    logits: Floats,
    offsets: Offsets,
    text: str,
    layout: LabelLayout,
    *,
    inside_bias: float = 0.0,
    sure_leak: float = 1.0,
) -> Decoded:
    """Decode the logits (n_tokens, layout.width) of one window of `text`.

    When the leak head is at least `sure_leak` and no phrase comes out, the heads disagree: the bias grows
    until one does, since the leak head has seen the whole text.

    `offsets`: code-point ranges of the tokens in `text`; token 0, the start token, carries the leak head.
    """
    columns = {head: list(indices) for head, indices in layout.columns.items()}
    leak = float(softmax(logits[0, columns["leak"]])[1])
    units = units_of(text, offsets)
    probabilities = softmax(logits[:, columns["tag"]])
    tags = unit_tags(probabilities, units, inside_bias=inside_bias)
    found = spans_of(best_tags(tags))
    for extra in _RESCUE_BIASES if leak >= sure_leak else ():
        if found:
            break
        tags = unit_tags(probabilities, units, inside_bias=inside_bias + extra)
        found = spans_of(best_tags(tags))
    bounds = np.append(units.first, len(units.tokens))
    spans: list[DecodedSpan] = []
    followed = {first for first, _ in found}
    for first, last in found:
        start, end = tidy_edges(text, int(units.start[first]), int(units.end[last - 1]))
        if last in followed:  # the next phrase begins with the very next word
            end = start + len(without_link(text[start:end]))
        if start >= end or not tells_something(text[start:end]):
            continue
        tokens = logits[units.tokens[bounds[first] : bounds[last]]]
        chosen = {
            head: HEADS[head][int(softmax(tokens[:, columns[head]]).mean(axis=0).argmax())]
            for head in ("category", "subject", "granularity", "identifiability")
        }
        spans.append(
            DecodedSpan(
                start=start,
                end=end,
                score=float(1.0 - tags[first:last, OUTSIDE].mean()),
                category=Category(chosen["category"]),
                subject=Subject(chosen["subject"]),
                granularity=int(chosen["granularity"]),
                identifiability=int(chosen["identifiability"]),
            )
        )
    return Decoded(tuple(spans), leak)


def apply_rules(decoded: Decoded, rules: DecodingRules) -> tuple[tuple[DecodedSpan, ...], float]:
    """Keep the spans that the rules accept; returns them with the text's leak score (0 to 1).

    A text whose leak score reaches `min_leak` keeps at least its best span, so that "discloses" and
    "has findings" always agree; below it nothing is kept.
    """
    best = max((span.score for span in decoded.spans), default=0.0)
    leak_score = rules.leak_weight * decoded.leak + (1.0 - rules.leak_weight) * best
    if not decoded.spans or leak_score < rules.min_leak:
        return (), leak_score
    kept = tuple(span for span in decoded.spans if span.score >= rules.min_span)
    return kept or (max(decoded.spans, key=lambda span: span.score),), leak_score
