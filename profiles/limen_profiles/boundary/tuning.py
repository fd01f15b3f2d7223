"""Fits the prior variances (`python -m limen_profiles.boundary.study FOLDER --write FILE` stores them).

Maximises the marginal likelihood (with a weak log-normal prior on each variance) of the answers given,
which for an evaluation must be histories only. Needs the eval extra (SciPy).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limen_profiles.boundary.cells import N_CELLS, Array, Integers
from limen_profiles.boundary.kernel import USER_TERMS, Hyperparameters, user_terms
from limen_profiles.boundary.population import Answered, components
from limen_profiles.boundary.situation import FEATURE_GROUPS, Coder
from limen_profiles.errors import ProfileError

PRIOR_SPREAD = 3.0
"""Standard deviation of a log variance around a fifteenth of the data's variance."""
PRIOR_SHARE = 1.0 / 15.0
MAX_STEPS = 40


class Block(NamedTuple):
    """People with equally many answers: `features` (people, n, f), `terms` (t, people, n, n), `values`
    (people, n, 9)."""

    features: Array
    terms: Array
    values: Array


def tune(answers: Sequence[Answered], *, ordered: bool = True, max_steps: int = MAX_STEPS) -> Hyperparameters:
    """The prior variances that make these answers likeliest.

    Raises: `ProfileError` when SciPy is absent.
    """
    try:
        from scipy.optimize import minimize
    except ImportError as error:
        raise ProfileError("tuning needs SciPy; install it with: pip install 'limen[eval]'") from error
    scenarios = sorted({one.situation.scenario for one in answers if one.situation.scenario})
    coder = Coder(scenarios)
    blocks = _blocks(answers, coder, ordered=ordered)
    groups = coder.feature_groups()
    n_terms, n_groups = len(USER_TERMS), len(FEATURE_GROUPS)
    fitted = np.zeros((n_terms + n_groups + 1, N_CELLS))
    for c in range(N_CELLS):
        variance = float(np.var(np.concatenate([block.values[..., c].ravel() for block in blocks])))
        centre = np.full(len(fitted), np.log(variance * PRIOR_SHARE))
        start = centre.copy()
        start[-1] = np.log(variance / 2)

        def loss(logs: Array, c: int = c, centre: Array = centre) -> tuple[float, Array]:
            value, slope = _negative_log_evidence(np.exp(logs), blocks, groups, n_terms, n_groups, c)
            pull = (logs - centre) / PRIOR_SPREAD
            pull[-1] = 0.0
            return value + 0.5 * float(pull @ pull), slope + pull / PRIOR_SPREAD

        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": max_steps})
        fitted[:, c] = np.exp(found.x)
    return Hyperparameters(fitted[:n_terms], fitted[n_terms:-1], fitted[-1])


def _blocks(answers: Sequence[Answered], coder: Coder, *, ordered: bool) -> list[Block]:
    people: dict[str, list[Answered]] = defaultdict(list)
    for one in answers:
        people[one.person].append(one)
    by_size: dict[int, list[list[Answered]]] = defaultdict(list)
    for kept in people.values():
        by_size[len(kept)].append(kept)
    blocks = []
    for same in by_size.values():
        features = np.stack([coder.features([one.situation for one in kept]) for kept in same])
        coded = [coder.code([one.situation for one in kept]) for kept in same]
        terms = np.stack([user_terms(one, one, ordered=ordered) for one in coded], axis=1)
        blocks.append(Block(features, terms, np.stack([components(kept) for kept in same])))
    return blocks


def _negative_log_evidence(
    variances: Array, blocks: Sequence[Block], groups: Integers, n_terms: int, n_groups: int, c: int
) -> tuple[float, Array]:
    """The value and its slope along the log variances, by the matrix inversion lemma."""
    prior = variances[n_terms:-1][groups]
    precision = np.diag(1.0 / prior)
    shift = np.zeros(len(prior))
    value = 0.5 * float(np.log(prior).sum())
    inverses = []
    for block in blocks:
        own = np.tensordot(variances[:n_terms], block.terms, 1)
        own += variances[-1] * np.eye(own.shape[-1])
        inverse = np.linalg.inv(own)
        inverses.append(inverse)
        weighted = inverse @ block.features
        z = block.values[..., c]
        precision += np.tensordot(block.features, weighted, axes=((0, 1), (0, 1)))
        shift += np.tensordot(weighted, z, axes=((0, 1), (0, 1)))
        value += 0.5 * float(np.linalg.slogdet(own)[1].sum())
        value += 0.5 * float(np.einsum("pi,pij,pj->", z, inverse, z))
    covariance = np.linalg.inv(precision)
    mean = covariance @ shift
    value += 0.5 * float(np.linalg.slogdet(precision)[1]) - 0.5 * float(shift @ mean)
    slope = np.zeros(len(variances))
    # For the shared weights: tr(prior^-1 (prior - covariance - mean mean')) by group.
    share = 1.0 - (np.diag(covariance) + mean**2) / prior
    slope[n_terms:-1] = 0.5 * np.bincount(groups, share, minlength=n_groups)
    for block, inverse in zip(blocks, inverses, strict=True):
        weighted = inverse @ block.features
        error = np.einsum("pij,pj->pi", inverse, block.values[..., c] - block.features @ mean)
        curved = inverse - weighted @ covariance @ weighted.transpose(0, 2, 1)
        curved -= error[:, :, None] * error[:, None, :]
        slope[:n_terms] += 0.5 * np.einsum("pij,tpij->t", curved, block.terms) * variances[:n_terms]
        slope[-1] += 0.5 * float(np.einsum("pii->", curved)) * variances[-1]
    return value, slope
