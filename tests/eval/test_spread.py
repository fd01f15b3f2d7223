"""Standard errors and tests between runs, against slow definitions and known cases."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_eval.metrics.spread import compare, f1, f1_stderr, spread


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_spread_follows_the_definitions(values: list[float]) -> None:
    found = spread(values)
    assert found.mean == pytest.approx(statistics.mean(values), abs=1e-12)
    assert found.deviation == pytest.approx(statistics.stdev(values), abs=1e-9)
    assert found.stderr == pytest.approx(statistics.stdev(values) / math.sqrt(len(values)), abs=1e-9)


def test_too_few_values_are_undefined_not_zero() -> None:
    assert spread([]) == (None, None, None, 0)
    assert spread([0.5]) == (0.5, None, None, 1)


@pytest.mark.parametrize(
    ("recall", "precision", "expected"),
    [(0.5, 0.5, 0.5), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (None, 1.0, None)],
)
def test_f1_is_the_harmonic_mean(
    recall: float | None, precision: float | None, expected: float | None
) -> None:
    assert f1(recall, precision) == expected


def test_f1_stderr_is_zero_without_variation_and_grows_with_it() -> None:
    assert f1_stderr([1.0] * 20, [1.0] * 20) == 0.0
    varied = f1_stderr([0.0, 1.0] * 10, [0.0, 1.0] * 10)
    assert varied is not None
    assert varied == f1_stderr([0.0, 1.0] * 10, [0.0, 1.0] * 10)
    # The mean of twenty fair coins has a standard error of about 0.11.
    assert 0.08 < varied < 0.15
    assert f1_stderr([None, None], [0.5, 0.5]) is None


def test_clear_difference_is_significant_in_both_tests() -> None:
    found = compare([0.0, 0.1] * 20, [0.9, 1.0] * 20)
    assert found.difference == pytest.approx(0.9)
    assert found.p_one_sided is not None
    assert found.p_one_sided < 1e-6
    assert compare([0.0, 0.1] * 20, [0.9, 1.1] * 20).p_paired == pytest.approx(0.0, abs=1e-6)


def test_items_that_a_run_did_not_score_are_left_out_of_the_pairs() -> None:
    found = compare([None, 0.2, 0.4, 0.6], [0.1, None, 0.5, 0.6])
    assert found.n_paired == 2
    assert found.difference == pytest.approx((0.1 + 0.5 + 0.6) / 3 - 0.4)


def test_equal_runs_have_no_p_value_and_nothing_scored_gives_nothing() -> None:
    assert compare([1.0, 1.0], [1.0, 1.0]).p_paired is None
    assert compare([None], [1.0]) == (None, None, None, 0)
