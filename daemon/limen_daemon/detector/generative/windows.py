"""Long texts in pieces that fit the model, cut where a sentence or a line ends."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

WINDOW_UNITS = 160
"""How much one piece holds, in words or Han characters: what leaves room for an answer of 256 tokens."""

_END = re.compile(r"\n+|(?<=[.!?;])\s+|(?<=[。！？；])")
_UNIT = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


class Window(NamedTuple):
    """A piece of a text; `start` is its offset in code points."""

    start: int
    text: str


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for match in _END.finditer(text):
        if match.end() > begin:
            yield begin, match.end()
            begin = match.end()
    if begin < len(text):
        yield begin, len(text)


def _pieces(text: str, limit: int) -> Iterator[tuple[int, int, int]]:
    """Sentences as (start, end, units); one longer than `limit` units is cut between units."""
    for begin, end in _sentences(text):
        starts = [match.start() for match in _UNIT.finditer(text, begin, end)]
        cuts = [begin, *starts[limit::limit], end]
        for index, (left, right) in enumerate(itertools.pairwise(cuts)):
            yield left, right, min(limit, max(0, len(starts) - index * limit))


def windows(text: str, limit: int = WINDOW_UNITS) -> list[Window]:
    """Cut `text` into windows of at most `limit` units that together are the whole text, without overlap."""
    found: list[Window] = []
    begin = end = held = 0
    for left, right, units in _pieces(text, limit):
        if held and held + units > limit:
            found.append(Window(begin, text[begin:end]))
            begin, held = left, 0
        end, held = right, held + units
    if end > begin:
        found.append(Window(begin, text[begin:end]))
    return found
