"""The nine cells of CIDER's two axes, and a basis that makes nine answers into nine independent numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]

LEVELS = 3
N_CELLS = LEVELS * LEVELS


def cell_index(granularity: int, identifiability: int) -> int:
    """0 to 8; granularity varies slowest, as in every nine-value tuple of this project."""
    return (granularity - 1) * LEVELS + identifiability - 1


def _basis() -> Array:
    """Orthonormal, 9 cells x 9 components: mean, slope and curvature along each axis, and their products."""
    one_axis = np.array([[1.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [1.0, -2.0, 1.0]])
    one_axis /= np.linalg.norm(one_axis, axis=1, keepdims=True)
    return np.kron(one_axis, one_axis).T


BASIS = _basis()
"""`BASIS[cell, component]`. Component 0 is the mean over cells, 1 the slope along identifiability,
3 the slope along granularity."""
