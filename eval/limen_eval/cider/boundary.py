"""The product's own boundary predictor on CIDER: the code that the daemon runs (`limen_profiles.boundary`).

Other users enter with their histories only (the first six positions of their permutation), so that no label
of any test item is used anywhere; hyper-parameters are fitted on the same histories.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any

from limen_eval.cider.protocol import Protocol
from limen_eval.cider.rows import Emit
from limen_eval.cider.split import FIRST_TEST_POSITION, Case, split
from limen_eval.datasets.ratings import Boundary, Participant, Scenario
from limen_profiles.boundary.kernel import Hyperparameters
from limen_profiles.boundary.norms import Norms
from limen_profiles.boundary.person import predict_person
from limen_profiles.boundary.population import Answered, Population, Weights
from limen_profiles.boundary.situation import Situation
from limen_profiles.boundary.tuning import tune

TUNING_FOLDS = 6


class BoundaryPredictor:
    """Gaussian processes with a population prior; see `docs/boundary.md`."""

    def __init__(
        self,
        everyone: Sequence[Participant],
        scenarios: dict[str, Scenario],
        protocol: Protocol,
        norms: Norms | None = None,
    ) -> None:
        """`norms`: what people in general are expected to accept in each scenario (`limen_profiles`)."""
        self._everyone = everyone
        self._scenarios = scenarios
        self._protocol = protocol
        self._norms = norms
        self._tuned: dict[frozenset[str], Hyperparameters] = {}
        """By the scenarios they were fitted without; the same for every k."""

    def describe(self) -> dict[str, Any]:
        name = "boundary" if self._norms else "boundary without norms"
        return {"id": name, "format": "gaussian-process", "device": "cpu"}

    async def run(self, cases: Sequence[Case], emit: Emit) -> None:
        if self._protocol == "known-scenarios":
            population = self._fitted()
            for user, group in groupby(cases, key=lambda case: case.participant.id):
                weights = population.weights(without_person=user)
                for case in group:
                    emit(case, self._predict(case, population, weights))
                    await asyncio.sleep(0)
            return
        # Prior variances are fitted once for each sixth of the scenarios, without it: even these few numbers
        # must not have seen the scenario tested. The population then leaves out that one scenario.
        fold = {name: n % TUNING_FOLDS for n, name in enumerate(sorted(self._scenarios))}
        in_order = sorted(cases, key=lambda case: fold[case.scenario_id])
        for hidden, group in groupby(in_order, key=lambda case: fold[case.scenario_id]):
            population = self._fitted(hidden={name for name, n in fold.items() if n == hidden})
            for case in group:
                weights = population.weights(
                    without_person=case.participant.id, without_scenario=case.scenario_id
                )
                emit(case, self._predict(case, population, weights))
                await asyncio.sleep(0)

    def _predict(self, case: Case, population: Population, weights: Weights) -> tuple[float, ...]:
        history = list(self._answered(case.participant, case.history))
        target = self._situation(case.participant, case.scenario_id)
        return tuple(float(p) for p in predict_person(population, weights, history, [target])[0])

    def _fitted(self, hidden: Collection[str] = ()) -> Population:
        """The population of all histories (a prediction takes its own user out again), with prior variances
        fitted without the hidden scenarios."""
        by_user = {case.participant.id: case for case in split(self._everyone, k=FIRST_TEST_POSITION)}
        answers = [
            answered
            for case in by_user.values()
            for answered in self._answered(case.participant, case.history)
        ]
        key = frozenset(hidden)
        if key not in self._tuned:
            self._tuned[key] = tune([one for one in answers if one.situation.scenario not in hidden])
        return Population(answers, self._tuned[key])

    def _answered(self, one: Participant, boundaries: Iterable[Boundary]) -> Iterable[Answered]:
        for boundary in boundaries:
            yield Answered(one.id, self._situation(one, boundary.scenario_id), boundary.accepts)

    def _situation(self, one: Participant, scenario_id: str) -> Situation:
        facts = self._scenarios[scenario_id].facts
        shown = [boundary.scenario_id for boundary in one.boundaries].index(scenario_id)
        return Situation(
            role=one.role,
            subject=facts.get("scenario_type", ""),
            recipient=facts.get("data_recipient_type", ""),
            channel=facts.get("transmission_principle_type", ""),
            assisted=one.condition == "AI",
            scenario=scenario_id,
            moment=float(shown),
            norm=self._norms.of(scenario_id, one.role) if self._norms else (),
        )

    async def close(self) -> None:
        return None
