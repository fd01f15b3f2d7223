"""One person's boundary: the population's prior, conditioned on what this person answered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limen_profiles.boundary.cells import BASIS, N_CELLS, Array
from limen_profiles.boundary.kernel import user_terms
from limen_profiles.boundary.population import Answered, Population, Weights, components
from limen_profiles.boundary.situation import Coded, Situation

P_LIMIT = 0.02
"""No prediction is surer than this: the model's own error is never zero."""


def predict_person(
    population: Population, weights: Weights, history: Sequence[Answered], targets: Sequence[Situation]
) -> Array:
    """(targets, 9): the probability that this person accepts, for each target and cell."""
    return probability(predict_components(population, weights, history, targets)[0] @ BASIS.T)


def predict_components(
    population: Population, weights: Weights, history: Sequence[Answered], targets: Sequence[Situation]
) -> tuple[Array, Array]:
    """Posterior mean (targets, 9) and variance (targets, 9) of the answers in the cell basis, +1 and -1."""
    settings, coder = population.hyperparameters, population.coder
    new, new_coded = coder.features(targets), coder.code(targets)
    mean = np.einsum("tf,cf->tc", new, weights.mean)
    shared = np.einsum("tf,cfg->ctg", new, weights.covariance)
    own_variance = np.einsum("uc,ut->tc", settings.user, _diagonal(new_coded, ordered=population.ordered))
    variance = np.einsum("ctg,tg->tc", shared, new) + own_variance + settings.noise
    if not history:
        return mean, variance
    situations = [one.situation for one in history]
    old, old_coded = coder.features(situations), coder.code(situations)
    ordered = population.ordered
    seen = np.einsum("uc,uij->cij", settings.user, user_terms(old_coded, old_coded, ordered=ordered))
    seen += np.einsum("if,cfg,jg->cij", old, weights.covariance, old, optimize=True)
    seen += settings.noise[:, None, None] * np.eye(len(history))
    cross = np.einsum("uc,utj->ctj", settings.user, user_terms(new_coded, old_coded, ordered=ordered))
    cross += np.einsum("ctg,jg->ctj", shared, old)
    surprise = components(history) - np.einsum("if,cf->ic", old, weights.mean)
    inverse = np.linalg.inv(seen)
    for c in range(N_CELLS):
        gain = cross[c] @ inverse[c]
        mean[:, c] += gain @ surprise[:, c]
        variance[:, c] -= np.einsum("tj,tj->t", gain, cross[c])
    return mean, variance


def probability(score: Array) -> Array:
    """From the expected answer between -1 and +1 to the probability of acceptance."""
    return np.clip((1.0 + score) / 2.0, P_LIMIT, 1.0 - P_LIMIT)


def _diagonal(coded: Coded, *, ordered: bool) -> Array:
    """(terms, n): the terms of each situation with itself."""
    return np.asarray(np.diagonal(user_terms(coded, coded, ordered=ordered), axis1=1, axis2=2))
