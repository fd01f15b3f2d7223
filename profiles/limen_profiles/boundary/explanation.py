"""Why a prediction says what it says, in one sentence about the user's own choices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from limen_profiles.prediction import Choice, Item
from limen_profiles.records import Reason, ReasonKind

MIN_ON_SITE = 3
"""Choices on a site before the sentence is about this site."""
NEAR_CELLS = 1
"""Steps along granularity and identifiability together that still count as the same kind of thing."""
WEIGHT_DIGITS = 6
"""Ten weights of 0.3 are 3, in whichever order they are added."""


class Evidence(NamedTuple):
    """`number` choices about the same kind of thing; `weight` is their sum with each at most 1."""

    number: int
    weight: float
    why: str | None
    reason: Reason | None = None


class Count:
    """Choices of one kind: how many, how many accepted, and the sum of their weights, each at most 1."""

    __slots__ = ("accepted", "number", "weight")

    def __init__(self) -> None:
        self.number = self.accepted = 0
        self.weight = 0.0

    def add(self, other: Count) -> None:
        self.number += other.number
        self.accepted += other.accepted
        self.weight += other.weight

    @classmethod
    def of(cls, choice: Choice) -> Count:
        one = cls()
        one.number, one.accepted, one.weight = 1, int(choice.accepted), min(choice.weight, 1.0)
        return one


Kind = tuple[str, str, int, int]
"""Category, subject, granularity, identifiability."""


class Tally:
    """The user's choices, counted by what a sentence may be about, so that their number costs no time."""

    def __init__(self, choices: Iterable[Choice] = ()) -> None:
        self._of_category: defaultdict[str, Count] = defaultdict(Count)
        self._of_kind: defaultdict[Kind, Count] = defaultdict(Count)
        self._on_site: defaultdict[tuple[str, Kind], Count] = defaultdict(Count)
        for choice in choices:
            self.add(choice)

    def add(self, choice: Choice) -> None:
        item, one = choice.item, Count.of(choice)
        kind = (item.category, item.subject, item.granularity, item.identifiability)
        self._of_category[item.category].add(one)
        self._of_kind[kind].add(one)
        self._on_site[item.site, kind].add(one)

    def explain(self, item: Item) -> Evidence:
        """How many choices are about this kind of thing (same category and subject, about as exact), and the
        sentence; without any, how the category goes, which is no evidence yet."""
        near = [(item.category, item.subject, *cell) for cell in _near(item)]
        kind = _sum(self._of_kind.get(one) for one in near)
        if kind.number:
            on_site = _sum(self._on_site.get((item.site, one)) for one in near)
            weight = round(kind.weight, WEIGHT_DIGITS)
            if item.site and on_site.number >= MIN_ON_SITE:
                why = f"You kept this kind of thing {_share(on_site)} on this site."
                return Evidence(kind.number, weight, why, _reason("kind_on_site", on_site))
            why = f"You kept this kind of thing {_share(kind)}."
            return Evidence(kind.number, weight, why, _reason("kind", kind))
        of_category = self._of_category.get(item.category)
        if of_category is None:
            return Evidence(0, 0.0, None)
        why = f"You kept things of this category {_share(of_category)}."
        return Evidence(0, 0.0, why, _reason("category", of_category))


def _near(item: Item) -> Iterator[tuple[int, int]]:
    """The cells at most `NEAR_CELLS` steps away, this one included."""
    for up in range(-NEAR_CELLS, NEAR_CELLS + 1):
        for aside in range(-NEAR_CELLS + abs(up), NEAR_CELLS - abs(up) + 1):
            yield item.granularity + up, item.identifiability + aside


def _sum(counts: Iterable[Count | None]) -> Count:
    total = Count()
    for one in counts:
        if one is not None:
            total.add(one)
    return total


def _reason(kind: ReasonKind, count: Count) -> Reason:
    return Reason(kind=kind, accepted=count.accepted, total=count.number)


def _share(count: Count) -> str:
    return f"{count.accepted} of {count.number} time{'' if count.number == 1 else 's'}"
