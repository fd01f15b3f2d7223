"""Drafts of a wording, as the rules make them, and what leaves the package."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Step = Literal["less", "kind"]
"""How far a draft goes: "less" is one step less detailed ("about £2,000 a month"), "kind" only says what kind of
thing it is ("my income")."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`text` takes the place of `[start, end)` of the asked text, in code points. That may reach to the left of
    the phrase, where an article or a label has to change with it. `granularity`, `identifiability`: what is
    reached; at least one of them is lower than it was."""

    text: str
    start: int
    end: int
    granularity: int
    identifiability: int


@dataclass(frozen=True, slots=True)
class Draft:
    """Takes the place of the phrase, or of the text from `start` on. `keeps`: digits of the phrase that
    may stay because they are the less detailed value itself (the year of a date)."""

    text: str
    step: Step
    start: int | None = None
    keeps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A detail inside a phrase, `[start, end)` within the phrase, and what can be said instead: `less` and
    `kind` as in `Step`; None: nothing in that step, "": nothing at all. `start` is negative where words before
    the phrase have to change with it: "I'm a | nurse" is "I work in health care" then."""

    start: int
    end: int
    less: str | None
    kind: str | None
    keeps: tuple[str, ...] = ()
