"""How alike two choices are: CIDER's terms, and beside them the kind of thing told and its meaning.

In CIDER every answer is about another scenario, so what stays unexplained there (`noise`) holds everything
peculiar to one scenario. In use the same kind of thing comes back, and that part of it can be learned. The
shares below divide it; they are choices of design, as CIDER asks nobody twice.
"""

from __future__ import annotations

import numpy as np

from limen_profiles.boundary.cells import BASIS, Array
from limen_profiles.boundary.kernel import user_terms
from limen_profiles.boundary.prior import Prior
from limen_profiles.boundary.traits import Traits

KIND_SHARE = 0.20
RECENT_KIND_SHARE = 0.40
MEANING_SHARE = 0.20
NOISE_SHARE = 0.20
RECENT_OF_KIND = 4.0
"""After so many further choices about the same kind, an older one has lost 1/e of its recent part."""
MEANING_WIDTH = 0.2
"""In cosine distance: by the shipped encoder, phrases of one category that mean the same lie 0.20 apart,
others 0.34 (medians; `pytest -s -k how_far tests/daemon/test_meaning.py` prints them)."""


class Resemblance:
    """Prior covariances between choices, on the scale of answers -1 and +1."""

    def __init__(self, prior: Prior) -> None:
        def across_cells(variances: Array) -> Array:
            return np.asarray((BASIS * variances) @ BASIS.T)

        self._user = np.stack([across_cells(variances) for variances in prior.user])
        self._kind = across_cells(prior.scenario + KIND_SHARE * prior.noise)
        self._recent = across_cells(RECENT_KIND_SHARE * prior.noise)
        self._meaning = across_cells(MEANING_SHARE * prior.noise)
        self._noise = np.diag(across_cells(NOISE_SHARE * prior.noise)).copy()

    def noise(self, traits: Traits) -> Array:
        """(n,): the variance of one choice of full weight around the person's boundary."""
        return np.asarray(self._noise[traits.cells])

    def between(self, a: Traits, b: Traits) -> Array:
        """(len(a), len(b))"""
        cells = (a.cells[:, None], b.cells[None, :])
        total = a.shared @ b.shared.T
        for matrix, term in zip(self._user, user_terms(a.coded, b.coded), strict=True):
            total += matrix[cells] * term
        same_kind = np.equal(a.kinds[:, None], b.kinds[None, :]).astype(np.float64)
        recent = np.exp(-np.abs(a.ranks[:, None] - b.ranks[None, :]) / RECENT_OF_KIND)
        of_kind = self._kind[cells] + self._recent[cells] * recent + self._meaning[cells] * _alike(a, b)
        total += same_kind * of_kind
        return np.asarray(total)


def _alike(a: Traits, b: Traits) -> Array:
    """Likeness of meaning, 0 to 1."""
    same = np.equal(a.phrases[:, None], b.phrases[None, :]).astype(np.float64)
    if a.vectors.shape[1] != b.vectors.shape[1]:
        return np.asarray(same)
    known = a.known[:, None] & b.known[None, :]
    close = np.exp((np.minimum(a.vectors @ b.vectors.T, 1.0) - 1.0) / MEANING_WIDTH)
    return np.where(known, close, same).astype(np.float64)
