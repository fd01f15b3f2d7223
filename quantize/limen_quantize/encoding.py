"""From annotated queries to token ids and per-token labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from limen_daemon.detector.decode import BEGIN, INSIDE, OUTSIDE, trimmed
from limen_daemon.detector.layout import HEADS
from limen_quantize.answer_file import Answers, OnTokens
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

if TYPE_CHECKING:
    from tokenizers import Tokenizer

IGNORED = -100
"""Label of tokens that a head does not learn from."""

SPAN_HEADS = ("category", "subject", "granularity", "identifiability")


@dataclass(frozen=True, slots=True)
class Encoded:
    """One window of a query: n token ids, n labels for the tag head and each span head, one leak label, and
    what another network answered beforehand; its `leak` is NaN where the window is not the whole query."""

    ids: list[int]
    tags: list[int]
    spans: dict[str, list[int]]
    leak: int
    answer: OnTokens | None = None


def encode(
    query: AnnotatedQuery, tokenizer: Tokenizer, *, max_tokens: int, answers: Answers | None = None
) -> list[Encoded]:
    """Encode `query` as one window, or as several that overlap by a quarter when it is longer."""
    encoding = tokenizer.encode(query.text, add_special_tokens=False)
    start_id, end_id = boundary_ids(tokenizer)
    ids, offsets = encoding.ids, encoding.offsets
    tags, spans = token_labels(query.text, offsets, query.phrases)
    answer = answers.on_tokens(query.text, offsets) if answers else None
    room = max_tokens - 2
    windows: list[Encoded] = []
    begin = 0
    while True:
        end = min(begin + room, len(ids))
        inner = tags[begin:end]
        windows.append(
            Encoded(
                ids=[start_id, *ids[begin:end], end_id],
                tags=[IGNORED, *inner, IGNORED],
                spans={head: [IGNORED, *labels[begin:end], IGNORED] for head, labels in spans.items()},
                leak=int(any(tag in (BEGIN, INSIDE) for tag in inner)),
                answer=_part(answer, begin, end, whole=len(ids) <= room),
            )
        )
        if end == len(ids):
            return windows
        begin += room - room // 4


def _part(answer: OnTokens | None, begin: int, end: int, *, whole: bool) -> OnTokens | None:
    """The answer to a window, with a row for each of the two tokens around it."""
    if answer is None:
        return None
    around = np.array([[1.0, 0.0, 0.0]])
    tags = np.concatenate([around, answer.tags[begin:end], around])
    return OnTokens(tags, answer.leak if whole else float("nan"))


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
