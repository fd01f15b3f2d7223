"""What tests of the boundary predictor share."""

from __future__ import annotations

import numpy as np

from limen_profiles.boundary.kernel import USER_TERMS, Hyperparameters
from limen_profiles.boundary.situation import FEATURE_GROUPS


def plain_settings() -> Hyperparameters:
    """Fixed variances, near the fitted ones: the tests below are about what is seen, not about accuracy."""
    return Hyperparameters(
        user=np.full((len(USER_TERMS), 9), 0.2) * np.linspace(1, 0.05, 9),
        population=np.full((len(FEATURE_GROUPS), 9), 0.05),
        noise=np.linspace(1.3, 0.2, 9),
    )
