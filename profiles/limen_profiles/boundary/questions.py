"""Which situation to ask about next, so that a few answers tell most about the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limen_profiles.boundary.person import predict_components
from limen_profiles.boundary.population import Answered, Population, Weights
from limen_profiles.boundary.situation import Situation

UNSEEN = (False,) * 9
"""Any answers do: a Gaussian process's variance depends on what is asked, not on what is answered."""


def next_question(
    population: Population,
    weights: Weights,
    asked: Sequence[Situation],
    candidates: Sequence[Situation],
    targets: Sequence[Situation],
) -> int:
    """The index of the candidate that leaves the least variance, summed over targets and cells.

    Raises: `ValueError` when there is no candidate.
    """
    if not candidates:
        raise ValueError("no situation is left to ask about")
    left = [
        float(predict_components(population, weights, _answered([*asked, one]), targets)[1].sum())
        for one in candidates
    ]
    return int(np.argmin(left))


def _answered(situations: Sequence[Situation]) -> list[Answered]:
    return [Answered("", one, UNSEEN) for one in situations]
