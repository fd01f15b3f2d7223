"""How sure a mean is: standard errors, and tests between two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limen_eval.errors import EvalError

_CONSTANT = 1e-12
"""Values that differ by less have no variance to test with."""


class Spread(NamedTuple):
    """A mean with its sample standard deviation, standard error and count. Undefined values are None."""

    mean: float | None
    deviation: float | None
    stderr: float | None
    n: int


def spread(values: Sequence[float]) -> Spread:
    """Mean, standard deviation (ddof 1) and standard error; too few values give None, never 0."""
    n = len(values)
    if n == 0:
        return Spread(None, None, None, 0)
    mean = float(np.mean(values))
    if n == 1:
        return Spread(mean, None, None, 1)
    deviation = float(np.std(values, ddof=1))
    return Spread(mean, deviation, deviation / math.sqrt(n), n)


def f1(recall: float | None, precision: float | None) -> float | None:
    """Harmonic mean; None if either is undefined, 0 if both are 0."""
    if recall is None or precision is None:
        return None
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def f1_stderr(
    recalls: Sequence[float | None],
    precisions: Sequence[float | None],
    *,
    seed: int = 42,
    resamples: int = 1000,
) -> float | None:
    """Bootstrap standard error of the F1 of two means over the same queries (None = not scored)."""
    r = np.array([math.nan if v is None else v for v in recalls])
    p = np.array([math.nan if v is None else v for v in precisions])
    if np.isnan(r).all() or np.isnan(p).all():
        return None
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(resamples):
        chosen = rng.integers(0, len(r), len(r))
        kept_r, kept_p = r[chosen], p[chosen]
        kept_r, kept_p = kept_r[~np.isnan(kept_r)], kept_p[~np.isnan(kept_p)]
        if kept_r.size and kept_p.size:
            values.append(f1(float(kept_r.mean()), float(kept_p.mean())) or 0.0)
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


class Comparison(NamedTuple):
    """Two samples compared: B minus A, and p values (None where undefined)."""

    difference: float | None
    p_one_sided: float | None
    """Independent t-test, halved, as the published scripts do; below 0.05 is their asterisk."""
    p_paired: float | None
    """Two-sided paired t-test over the items that both runs scored."""
    n_paired: int


def compare(a: Sequence[float | None], b: Sequence[float | None]) -> Comparison:
    """Compare item scores of two runs, aligned item by item; None marks an item that was not scored."""
    try:
        from scipy import stats
    except ImportError as error:
        raise EvalError("scipy is not installed: pip install 'limen[eval]'") from error
    left, right = [v for v in a if v is not None], [v for v in b if v is not None]
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if not left or not right:
        return Comparison(None, None, None, len(pairs))
    independent = paired = None
    if len(left) > 1 and len(right) > 1 and max(np.ptp(left), np.ptp(right)) > _CONSTANT:
        independent = float(stats.ttest_ind(right, left).pvalue) / 2
    if len(pairs) > 1 and np.ptp([y - x for x, y in pairs]) > _CONSTANT:
        paired = float(stats.ttest_rel([y for _, y in pairs], [x for x, _ in pairs]).pvalue)
    return Comparison(float(np.mean(right) - np.mean(left)), independent, paired, len(pairs))
