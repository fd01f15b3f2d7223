"""Cuts training queries into parts so that likenesses stay together.

A network that answers what it has not learned from must not have learned from its twin either.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from limen_quantize.errors import TrainingError
from limen_quantize.likeness import UNLIKE, Run, sequences, shared_with
from limen_quantize.queries import AnnotatedQuery

_AT_LEAST = 2
"""Shared sequences that make a likeness of two queries that have as many; one alone is chance."""


def fold_of(queries: Sequence[AnnotatedQuery], folds: int, *, seed: int) -> list[int]:
    """For each of `queries` the part (0 to `folds` - 1) it falls into.

    Parts hold about as much text, as far as likenesses, and what is linked by way of a third, allow.
    Raises: `TrainingError` when a part stays empty.
    """
    groups = _groups(queries)
    random.Random(seed).shuffle(groups)  # noqa: S311 (no secret depends on it)
    groups.sort(key=lambda group: sum(len(queries[number].text) for number in group), reverse=True)
    sizes = [0] * folds
    found = [0] * len(queries)
    for group in groups:
        smallest = sizes.index(min(sizes))
        for number in group:
            found[number] = smallest
            sizes[smallest] += len(queries[number].text)
    if not all(sizes):
        raise TrainingError(
            f"The queries cannot be cut into {folds} parts without parting likenesses; set folds lower."
        )
    return found


def _groups(queries: Sequence[AnnotatedQuery]) -> list[list[int]]:
    """Numbers of queries that are linked by likeness, one group each."""
    above = list(range(len(queries)))

    def top(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    runs = [sequences(query.text) for query in queries]
    holders: dict[Run, list[int]] = defaultdict(list)
    same: dict[frozenset[Run], int] = {}
    for number, own in enumerate(runs):
        above[number] = top(same.setdefault(frozenset(own), number))
        for one in own:
            holders[one].append(number)
    for number, own in enumerate(runs):
        for other, count in shared_with(own, holders).items():
            shorter = min(len(own), len(runs[other]))
            if count >= min(_AT_LEAST, shorter) and count >= UNLIKE * shorter:
                above[top(number)] = top(other)
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(queries)):
        groups[top(number)].append(number)
    return list(groups.values())
