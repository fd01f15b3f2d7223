"""Cuts training queries into parts so that likenesses stay together.

A network that answers what it has not learned from must not have learned from its twin either.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence

from limen_quantize.likeness import COMMON, Run, sequences
from limen_quantize.queries import AnnotatedQuery

_ALIKE = 0.12
"""Two queries that share so much of the shorter one's sequences, and at least two, are likenesses."""
_AT_LEAST = 2


def fold_of(queries: Sequence[AnnotatedQuery], folds: int, *, seed: int) -> list[int]:
    """For each of `queries` the part (0 to `folds` - 1) it falls into; parts hold about as much text."""
    groups = list(_groups(queries).values())
    random.Random(seed).shuffle(groups)  # noqa: S311 (no secret depends on it)
    groups.sort(key=len, reverse=True)
    sizes = [0] * folds
    found = [0] * len(queries)
    for group in groups:
        smallest = sizes.index(min(sizes))
        for number in group:
            found[number] = smallest
            sizes[smallest] += len(queries[number].text)
    return found


def _groups(queries: Sequence[AnnotatedQuery]) -> dict[int, list[int]]:
    """Numbers of queries that are linked by likeness, one group each."""
    above = list(range(len(queries)))

    def top(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    holders: dict[Run, list[int]] = defaultdict(list)
    sizes: list[int] = []
    for number, query in enumerate(queries):
        own = sequences(query.text)
        sizes.append(len(own))
        shared: Counter[int] = Counter()
        for one in own:
            if len(holders[one]) < COMMON:
                shared.update(holders[one])
            holders[one].append(number)
        for other, count in shared.items():
            if count >= min(_AT_LEAST, len(own)) and count >= _ALIKE * min(len(own), sizes[other]):
                above[top(number)] = top(other)
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(queries)):
        groups[top(number)].append(number)
    return groups
