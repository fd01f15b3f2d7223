"""Predictors without a model: constants, chance, the user's own cell means, and the others' answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from limen_eval.cider.protocol import Protocol, population
from limen_eval.cider.rows import Emit
from limen_eval.cider.split import Case
from limen_eval.datasets.ratings import Participant

SHRINKAGE = 2.0
"""The pooled cell rate counts as this many answers of the user."""
RANDOM_SEED = 42
Accept = tuple[float, ...]


class Baseline:
    """A predictor that is a function of a case and of the users it may learn from."""

    def __init__(
        self,
        name: str,
        everyone: Sequence[Participant],
        protocol: Protocol,
        predict: Callable[[Case, Sequence[Participant]], Accept],
    ) -> None:
        self._name = name
        self._everyone = everyone
        self._protocol = protocol
        self._predict = predict

    def describe(self) -> dict[str, Any]:
        return {"id": self._name, "format": "baseline", "device": "cpu"}

    async def run(self, cases: Sequence[Case], emit: Emit) -> None:
        for case in cases:
            emit(case, self._predict(case, population(self._everyone, case, self._protocol)))

    async def close(self) -> None:
        return None


class RandomBaseline:
    """Yes or no with equal probability, drawn once over users and scenarios in the order of their ids as
    text, as the published code does (seed 42)."""

    def describe(self) -> dict[str, Any]:
        return {"id": "random", "format": "baseline", "device": "cpu"}

    async def run(self, cases: Sequence[Case], emit: Emit) -> None:
        ordered = sorted(cases, key=lambda case: (case.participant.id, case.scenario_id))
        draws = np.random.default_rng(RANDOM_SEED).choice((1.0, 2.0), size=9 * len(ordered)).reshape(-1, 9)
        for case, draw in zip(ordered, draws, strict=True):
            emit(case, tuple(float(value == 1.0) for value in draw))

    async def close(self) -> None:
        return None


def always(answer: bool) -> Callable[[Case, Sequence[Participant]], Accept]:
    """The same answer to everything."""
    return lambda case, others: (float(answer),) * 9


def cell_mean(case: Case, others: Sequence[Participant]) -> Accept:
    """The user's mean per cell over the history, shrunk to the others' pooled cell rate."""
    pooled = np.mean([b.accepts for one in others for b in one.boundaries], axis=0)
    own = np.sum([b.accepts for b in case.history], axis=0) if case.history else np.zeros(9)
    return tuple(float(v) for v in (own + SHRINKAGE * pooled) / (len(case.history) + SHRINKAGE))


def group(case: Case, others: Sequence[Participant]) -> Accept:
    """The others' mean in the same context; without any, in the same role and condition, else of all."""
    same_context = [
        b.accepts
        for one in others
        if (one.role, one.condition) == (case.participant.role, case.participant.condition)
        for b in one.boundaries
        if b.scenario_id == case.scenario_id
    ]
    same_role = [
        b.accepts
        for one in others
        if (one.role, one.condition) == (case.participant.role, case.participant.condition)
        for b in one.boundaries
    ]
    answers = same_context or same_role or [b.accepts for one in others for b in one.boundaries]
    return tuple(float(v) for v in np.mean(answers, axis=0))
