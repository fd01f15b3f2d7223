"""From annotated queries to token ids and per-token labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from limen_daemon.detector.decode import BEGIN, INSIDE, OUTSIDE, trimmed
from limen_daemon.detector.layout import HEADS
from limen_quantize.answer_file import CharacterAnswer, TokenAnswer, on_tokens
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

if TYPE_CHECKING:
    from tokenizers import Tokenizer

IGNORED = -100
"""Label of tokens that a head does not learn from."""

SPAN_HEADS = ("category", "subject", "granularity", "identifiability")


@dataclass(frozen=True, slots=True)
class Encoded:
    """One window of a query: n token ids, n labels for the tag head and each span head, one leak label, and
    what another network answered beforehand (`answer.leak` is NaN where this is not the whole query)."""

    ids: list[int]
    tags: list[int]
    spans: dict[str, list[int]]
    leak: int
    answer: TokenAnswer | None = None
    annotated: bool = True
    """False: labels only say which tokens are text."""


def encode(
    query: AnnotatedQuery, tokenizer: Tokenizer, *, max_tokens: int, answer: CharacterAnswer | None = None
) -> list[Encoded]:
    """Encode `query` as one window, or as several that overlap by a quarter when it is longer."""
    encoding = tokenizer.encode(query.text, add_special_tokens=False)
    start_id, end_id = boundary_ids(tokenizer)
    labels = token_labels(query.text, encoding.offsets, query.phrases)
    return windows_from(
        encoding.ids,
        labels,
        room=max_tokens - 2,
        start_id=start_id,
        end_id=end_id,
        answer=on_tokens(answer, query.text, encoding.offsets) if answer else None,
        annotated=query.annotated,
    )


def windows_from(
    ids: list[int],
    labels: tuple[list[int], dict[str, list[int]]],
    *,
    room: int,
    start_id: int,
    end_id: int,
    answer: TokenAnswer | None = None,
    annotated: bool = True,
) -> list[Encoded]:
    """Cut a query's tokens, with labels as `token_labels` gives them, into windows of `room` inner tokens."""
    tags, spans = labels
    return [
        Encoded(
            ids=[start_id, *ids[begin:end], end_id],
            tags=[IGNORED, *tags[begin:end], IGNORED],
            spans={head: [IGNORED, *of_head[begin:end], IGNORED] for head, of_head in spans.items()},
            leak=int(any(tag in (BEGIN, INSIDE) for tag in tags[begin:end])),
            answer=_part(answer, begin, end, whole=len(ids) <= room),
            annotated=annotated,
        )
        for begin, end in window_ranges(len(ids), room)
    ]


def window_ranges(n_tokens: int, room: int) -> list[tuple[int, int]]:
    """Ranges of at most `room` tokens that cover all, neighbours overlapping by a quarter."""
    ranges = [(0, min(room, n_tokens))]
    while ranges[-1][1] < n_tokens:
        begin = ranges[-1][0] + room - room // 4
        ranges.append((begin, min(begin + room, n_tokens)))
    return ranges


def _part(answer: TokenAnswer | None, begin: int, end: int, *, whole: bool) -> TokenAnswer | None:
    """The answer to a window, with a row for each of the two tokens around it."""
    if answer is None:
        return None
    return TokenAnswer(np.pad(answer.inside[begin:end], 1), answer.leak if whole else float("nan"))


def boundary_ids(tokenizer: Tokenizer) -> tuple[int, int]:
    """The ids that the tokenizer puts around a text; token 0 carries the leak head."""
    ids = tokenizer.encode("").ids
    return ids[0], ids[-1]


def token_labels(
    text: str, offsets: list[tuple[int, int]], phrases: tuple[MarkedPhrase, ...]
) -> tuple[list[int], dict[str, list[int]]]:
    """BIO labels and span-head labels of the tokens with code-point `offsets` in `text`.

    A token that is white space only is ignored; the first token that touches a phrase begins it.
    """
    tags: list[int] = []
    spans: dict[str, list[int]] = {head: [] for head in SPAN_HEADS}
    last = -1
    for raw_start, raw_end in offsets:
        start, end = trimmed(text, raw_start, raw_end)
        touched = next((i for i, p in enumerate(phrases) if start < p.end and p.start < end), -1)
        if start >= end:
            tags.append(IGNORED)
        elif touched < 0:
            tags.append(OUTSIDE)
        else:
            tags.append(INSIDE if touched == last else BEGIN)
        if start < end:
            last = touched
        labelled = phrases[touched] if start < end and touched >= 0 else None
        for head in SPAN_HEADS:
            value = None if labelled is None else getattr(labelled, head)
            spans[head].append(IGNORED if value is None else HEADS[head].index(str(value)))
    return tags, spans
