"""The plainest predictor: how often this user let the same kind of thing through, narrow groups first.

Each group's share is shrunk towards the wider group's, as a beta prior worth `PRIOR_CHOICES` choices, so a
single choice moves little where much is known and much where nothing is. Choices fade: a group's counts
halve every half-life, which takes one multiplication when the group is next touched.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from limen_profiles.prediction import Choice, Item, Prediction

DAY_MS = 86_400_000
PRIOR_CHOICES = 2.0
PRIOR_SHARE = 0.5
MIN_WHY = 3
"""Choices a group must have before it is named in an explanation."""


@dataclass(slots=True)
class Tally:
    """Faded weights, as of `at_ms`, and plain counts for the explanation."""

    accepted: float = 0.0
    weight: float = 0.0
    at_ms: int = 0
    accepted_count: int = 0
    count: int = 0


class CellCounts:
    """A `Predictor`. `predict` and `learn` take a fixed number of dictionary look-ups."""

    def __init__(self, half_life_days: float | None) -> None:
        self._half_life_ms = None if half_life_days is None else half_life_days * DAY_MS
        self._tallies: dict[Hashable, Tally] = {}

    def learn(self, choice: Choice) -> None:
        for _, group in _groups(choice.item):
            tally = self._tallies.setdefault(group, Tally(at_ms=choice.at_ms))
            # A choice older than the tally (from an import) is faded to the tally's time instead.
            now_ms = max(tally.at_ms, choice.at_ms)
            fade = self._fade(now_ms - tally.at_ms)
            weight = choice.weight * self._fade(now_ms - choice.at_ms)
            tally.accepted = tally.accepted * fade + weight * choice.accepted
            tally.weight = tally.weight * fade + weight
            tally.at_ms = now_ms
            tally.accepted_count += choice.accepted
            tally.count += 1

    def predict(self, items: Sequence[Item], *, now_ms: int) -> list[Prediction]:
        return [self._predict(item, now_ms) for item in items]

    def _predict(self, item: Item, now_ms: int) -> Prediction:
        share = PRIOR_SHARE
        evidence = 0
        why = None
        for sentence, group in _groups(item):
            tally = self._tallies.get(group)
            if tally is None:
                continue
            fade = self._fade(max(0, now_ms - tally.at_ms))
            share = (tally.accepted * fade + PRIOR_CHOICES * share) / (tally.weight * fade + PRIOR_CHOICES)
            if sentence is not None and (tally.count >= MIN_WHY or why is None):
                evidence = tally.count
                why = sentence.format(share=f"{tally.accepted_count} of {_times(tally.count)}")
        return Prediction(p_accept=share, evidence=evidence, why=why)

    def _fade(self, age_ms: float) -> float:
        return 1.0 if self._half_life_ms is None else 0.5 ** (age_ms / self._half_life_ms)


def _groups(item: Item) -> Iterator[tuple[str | None, Hashable]]:
    """From wide to narrow, with the sentence that explains by it; None: too wide to explain anything."""
    cell = (item.granularity, item.identifiability)
    yield None, ("cell", *cell)
    yield "You kept things of this category {share}.", ("category", item.category)
    yield "You kept this kind of thing {share}.", ("kind", item.category, item.subject, *cell)
    on_site = ("site", item.category, item.subject, *cell, item.site)
    yield "You kept this kind of thing {share} on this site.", on_site


def _times(count: int) -> str:
    return "1 time" if count == 1 else f"{count} times"
