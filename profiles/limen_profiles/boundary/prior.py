"""What ships: prior variances and the population's posterior, learned from CIDER's histories (no texts)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from limen_profiles.boundary.cells import BASIS, Array, Integers
from limen_profiles.boundary.population import Population
from limen_profiles.boundary.situation import N_PLAIN_FEATURES

FILE = "boundary.npz"
JITTER = 1e-9


@dataclass(frozen=True, slots=True)
class Prior:
    """`user` (terms, 9), `noise` (9,) and `scenario` (9,) are variances per component; `mean` (9, f) and
    `root` (9, f, f), with covariance = root @ root.T, describe the shared weights of the plain features."""

    user: Array
    noise: Array
    scenario: Array
    mean: Array
    root: Array

    @classmethod
    def of(cls, population: Population, *, scenario: Array) -> Prior:
        """`scenario`: the variance (9,) of what is peculiar to one scenario, fitted without norms: in use a
        norm is a category's, which says less about one thing than CIDER's say about one scenario."""
        settings, weights = population.hyperparameters, population.weights()
        plain = slice(0, N_PLAIN_FEATURES)
        covariance = weights.covariance[:, plain, plain]
        return cls(
            user=settings.user,
            noise=settings.noise,
            scenario=scenario,
            mean=weights.mean[:, plain],
            root=np.asarray(
                np.linalg.cholesky(covariance + JITTER * np.eye(N_PLAIN_FEATURES)), dtype=np.float64
            ),
        )

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path,
            user=self.user,
            noise=self.noise,
            scenario=self.scenario,
            mean=self.mean,
            root=self.root,
        )

    def expected(self, features: Array, cells: Integers) -> Array:
        """(n,): the population's expected answer, -1 to +1, before any choice of this person."""
        return np.asarray(np.einsum("nf,cf,nc->n", features, self.mean, BASIS[cells]))

    def shared(self, features: Array, cells: Integers) -> Array:
        """(n, 9 f): rows whose inner products are the covariance left by not knowing the population."""
        rows = np.einsum("nf,cfg->ncg", features, self.root) * BASIS[cells][:, :, None]
        return np.asarray(rows.reshape(len(cells), -1))


@cache
def shipped_prior() -> Prior:
    source = resources.files("limen_profiles").joinpath("data", FILE)
    with resources.as_file(source) as path, np.load(path, allow_pickle=False) as stored:
        return Prior(**{name: stored[name] for name in ("user", "noise", "scenario", "mean", "root")})
