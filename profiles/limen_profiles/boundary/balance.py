"""Thresholds for each variant under which history mends both kinds of error instead of trading them.

Predictions at one half are the most accurate, but history moves whole variants: for a variant that people
mostly accept, nobody is predicted to reject without history, and some are with it, so false negatives can
only rise. Thresholds that keep each variant's share of predicted acceptances turn every gain in ranking
into fewer errors of both kinds. They need predictions only, no labels.
"""

from __future__ import annotations

import numpy as np

from limen_profiles.boundary.cells import Array


def matching_thresholds(with_history: Array, without_history: Array) -> Array:
    """(9,): accept above these. Both arguments are (n, 9) probabilities for the same items."""
    shares = (without_history > 0.5).mean(axis=0)
    return np.array([np.quantile(p, 1.0 - share) for p, share in zip(with_history.T, shares, strict=True)])
