"""Details inside a phrase, each kind in its file: a function from what is asked to the parts it knows."""

from __future__ import annotations

from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.parts.ages import ages
from limen_daemon.generalize.parts.amounts import amounts
from limen_daemon.generalize.parts.dates import dates
from limen_daemon.generalize.parts.durations import durations
from limen_daemon.generalize.parts.health import health
from limen_daemon.generalize.parts.places import places
from limen_daemon.generalize.parts.work import work

_FINDERS = (ages, dates, health, durations, amounts, work, places)
"""In the order of their right to a stretch of text: "3 years old" is an age before it is a duration."""


def parts_of(asked: Asked) -> list[Part]:
    """The details of a phrase from left to right, none overlapping."""
    taken: list[Part] = []
    for part in _all(asked):
        if part.start < part.end and all(part.end <= one.start or part.start >= one.end for one in taken):
            taken.append(part)
    return sorted(taken, key=lambda part: part.start)


def _all(asked: Asked) -> Iterator[Part]:
    for finder in _FINDERS:
        yield from finder(asked)
