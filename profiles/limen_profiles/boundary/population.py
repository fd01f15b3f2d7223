"""What other people answered, as a prior for one more person.

Each of the nine components of the cell basis is a Gaussian process of its own: features of the situation
shared by everyone (weights with a Gaussian prior) plus one process for each person. With complete
nine-answer boundaries the components decouple exactly, and the posterior of the shared weights needs one
small system a component. A person or a scenario is taken out by subtracting their share of it, so a
prediction never sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from limen_profiles.boundary.cells import BASIS, N_CELLS, Array
from limen_profiles.boundary.kernel import Hyperparameters, user_terms
from limen_profiles.boundary.situation import Coded, Coder, Situation


class Answered(NamedTuple):
    """One person's nine answers in one situation; True for acceptance."""

    person: str
    situation: Situation
    accepts: tuple[bool, ...]


class Weights(NamedTuple):
    """Posterior of the shared weights: `mean` (9, features), `covariance` (9, features, features)."""

    mean: Array
    covariance: Array


@dataclass(frozen=True, slots=True)
class Share:
    """What one person adds to the system: `precision` (9, f, f), `shift` (9, f)."""

    precision: Array
    shift: Array


class System(NamedTuple):
    """The sum of all shares, with each person's own."""

    precision: Array
    shift: Array
    shares: dict[str, Share]


class Population:
    """The answers of many people. `ordered`: whether the order in which they answered may be used."""

    def __init__(
        self, answers: Sequence[Answered], hyperparameters: Hyperparameters, *, ordered: bool = True
    ) -> None:
        scenarios = sorted({one.situation.scenario for one in answers if one.situation.scenario})
        self.coder = Coder(scenarios)
        self.hyperparameters = hyperparameters
        self.ordered = ordered
        self._answers: dict[str, list[Answered]] = {}
        for one in answers:
            self._answers.setdefault(one.person, []).append(one)
        self._shares = {person: self._share(kept) for person, kept in self._answers.items()}
        self._systems: dict[str | None, System] = {None: self._system(self._shares)}

    def weights(self, *, without_person: str | None = None, without_scenario: str | None = None) -> Weights:
        """The posterior from everyone's answers except those named."""
        system = self._systems.get(without_scenario)
        if system is None:
            system = self._system(self._shares_without(without_scenario))
            self._systems[without_scenario] = system
        precision, shift = system.precision.copy(), system.shift.copy()
        if without_person in system.shares:
            precision -= system.shares[without_person].precision
            shift -= system.shares[without_person].shift
        prior = self.hyperparameters.population[self.coder.feature_groups()].T
        diagonal = np.arange(precision.shape[1])
        precision[:, diagonal, diagonal] += 1.0 / prior
        covariance: Array = np.asarray(np.linalg.inv(precision), dtype=np.float64)
        return Weights(np.einsum("cij,cj->ci", covariance, shift), covariance)

    def _shares_without(self, scenario: str | None) -> dict[str, Share]:
        shares = {}
        for person, answers in self._answers.items():
            kept = [one for one in answers if one.situation.scenario != scenario]
            if len(kept) == len(answers):
                shares[person] = self._shares[person]
            elif kept:
                shares[person] = self._share(kept)
        return shares

    def _system(self, shares: dict[str, Share]) -> System:
        n = self.coder.n_features
        precision, shift = np.zeros((N_CELLS, n, n)), np.zeros((N_CELLS, n))
        for share in shares.values():
            precision += share.precision
            shift += share.shift
        return System(precision, shift, shares)

    def _share(self, answers: Sequence[Answered]) -> Share:
        situations = [one.situation for one in answers]
        features = self.coder.features(situations)
        coded = self.coder.code(situations)
        own = np.einsum("tc,tij->cij", self.hyperparameters.user, self._terms(coded))
        own += self.hyperparameters.noise[:, None, None] * np.eye(len(answers))
        inverse = np.linalg.inv(own)
        left = features.T @ inverse
        return Share(left @ features, np.einsum("cfi,ic->cf", left, components(answers)))

    def _terms(self, coded: Coded) -> Array:
        return user_terms(coded, coded, ordered=self.ordered)


def components(answers: Sequence[Answered]) -> Array:
    """(n, 9): the answers as +1 and -1, in the cell basis."""
    signs = 2.0 * np.array([one.accepts for one in answers], dtype=np.float64).reshape(-1, N_CELLS) - 1.0
    return signs @ BASIS
