"""Why a prediction says what it says, in one sentence about the user's own choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from limen_profiles.prediction import Choice, Item
from limen_profiles.records import Reason, ReasonKind

MIN_ON_SITE = 3
"""Choices on a site before the sentence is about this site."""
NEAR_CELLS = 1
"""Steps along granularity and identifiability together that still count as the same kind of thing."""


class Evidence(NamedTuple):
    """`number` choices about the same kind of thing; `weight` is their sum with each at most 1."""

    number: int
    weight: float
    why: str | None
    reason: Reason | None = None


class Told(NamedTuple):
    """A choice, as far as a sentence needs it."""

    category: str
    subject: str
    site: str
    granularity: int
    identifiability: int
    accepted: bool
    weight: float

    @classmethod
    def of(cls, choice: Choice) -> Told:
        one = choice.item
        return cls(
            one.category,
            one.subject,
            one.site,
            one.granularity,
            one.identifiability,
            choice.accepted,
            min(choice.weight, 1.0),
        )


def explain(item: Item, told: Sequence[Told]) -> Evidence:
    """How many choices are about this kind of thing (same category and subject, about as exact), and the
    sentence; without any, how the category goes, which is no evidence yet."""
    of_category = [one for one in told if one.category == item.category]
    kind = [one for one in of_category if one.subject == item.subject and _steps(one, item) <= NEAR_CELLS]
    on_site = [one for one in kind if one.site == item.site]
    if kind:
        if item.site and len(on_site) >= MIN_ON_SITE:
            why = f"You kept this kind of thing {_share(on_site)} on this site."
            reason = _reason("kind_on_site", on_site)
        else:
            why = f"You kept this kind of thing {_share(kind)}."
            reason = _reason("kind", kind)
        return Evidence(len(kind), sum(one.weight for one in kind), why, reason)
    if of_category:
        why = f"You kept things of this category {_share(of_category)}."
        return Evidence(0, 0.0, why, _reason("category", of_category))
    return Evidence(0, 0.0, None)


def _steps(one: Told, item: Item) -> int:
    return abs(one.granularity - item.granularity) + abs(one.identifiability - item.identifiability)


def _reason(kind: ReasonKind, told: Sequence[Told]) -> Reason:
    return Reason(kind=kind, accepted=sum(one.accepted for one in told), total=len(told))


def _share(told: Sequence[Told]) -> str:
    kept = sum(one.accepted for one in told)
    return f"{kept} of {len(told)} time{'' if len(told) == 1 else 's'}"
