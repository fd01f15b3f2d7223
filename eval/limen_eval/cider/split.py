"""The paper's held-out split: each user's scenarios are permuted; the first k are history, 6 onward test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limen_eval.datasets.ratings import Answers, Boundary, Context, Participant

SPLIT_SEED = 42
FIRST_TEST_POSITION = 6
"""The same test scenarios for every k, so that curves over k compare like with like."""


class Case(NamedTuple):
    """One prediction to make: a participant, a new scenario, and what they answered before."""

    participant: Participant
    scenario_id: str
    truth: Answers
    history: tuple[Boundary, ...]

    @property
    def context(self) -> Context:
        return self.participant.context(self.scenario_id)


def split(participants: Sequence[Participant], *, k: int, seed: int = SPLIT_SEED) -> list[Case]:
    """All cases in file order; `numpy.random.default_rng(seed + index).permutation(n)` per participant.

    Raises: `ValueError` unless 0 <= k <= 6: a larger k would put test scenarios into the history.
    """
    if not 0 <= k <= FIRST_TEST_POSITION:
        raise ValueError(f"k must lie between 0 and {FIRST_TEST_POSITION}, not {k}")
    cases = []
    for one in participants:
        order = np.random.default_rng(seed + one.index).permutation(len(one.boundaries))
        shuffled = [one.boundaries[position] for position in order]
        history = tuple(shuffled[:k])
        for boundary in shuffled[FIRST_TEST_POSITION:]:
            cases.append(Case(one, boundary.scenario_id, boundary.accepts, history))
    return cases
