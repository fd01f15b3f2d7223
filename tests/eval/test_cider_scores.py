"""Accuracy and analyses, worked out by hand on a few rows."""

from __future__ import annotations

from typing import Any

import pytest

from limen_eval.cider.rows import Row, pairwise_agreement
from limen_eval.cider.scores import score_rows, summary_json

YES, NO = (1.0,) * 9, (0.0,) * 9
ALL, NONE = (True,) * 9, (False,) * 9


def make_row(
    user: str, scenario: str, truth: tuple[bool, ...], accept: tuple[float, ...] | None, **more: Any
) -> Row:
    facts: dict[str, Any] = {"group": None, "agreement": None, "index": 0, "k": 6, **more}
    return Row(
        user=user,
        scenario=scenario,
        role="data_sender",
        condition="Human",
        truth=truth,
        accept=accept,
        **facts,
    )


def score(*rows: Row) -> Any:
    return score_rows(rows, k=6, protocol="known-scenarios", predictor="made").chosen


def test_each_user_counts_the_same_however_many_scenarios_they_rated() -> None:
    scores = score(make_row("a", "1", ALL, YES), make_row("b", "1", ALL, NO), make_row("b", "2", ALL, NO))
    assert scores.accuracy == 0.5
    assert scores.stderr == pytest.approx(0.5)


def test_failed_predictions_are_counted_by_scenario_and_left_out_of_the_accuracy() -> None:
    scores = score(make_row("a", "1", ALL, YES), make_row("a", "2", ALL, None), make_row("b", "2", ALL, None))
    assert (scores.n_predictions, scores.n_failed, scores.accuracy, scores.n_users) == (1, 2, 1.0, 1)
    assert scores.failed_scenarios == {"2": 2}


def test_without_any_prediction_the_accuracy_is_undefined_not_zero() -> None:
    scores = score(make_row("a", "1", ALL, None))
    assert scores.accuracy is None
    assert scores.variants["G1-I1"].fp is None


def test_false_positives_are_a_share_of_the_rejected_items_of_a_variant() -> None:
    scores = score(
        make_row("a", "1", ALL, YES),
        make_row("a", "2", NONE, YES),
        make_row("a", "3", NONE, NO),
        make_row("a", "4", ALL, NO),
    )
    assert (scores.variants["G2-I2"].fp, scores.variants["G2-I2"].fn) == (0.5, 0.5)


def test_probability_of_one_half_counts_as_accepted() -> None:
    assert score(make_row("a", "1", ALL, (0.5,) * 9)).accuracy == 1.0
    assert score(make_row("a", "1", ALL, (0.499,) * 9)).accuracy == 0.0


@pytest.mark.parametrize(
    ("agreement", "stratum"),
    [(0.62, "top"), (0.619, "middle"), (0.53, "middle"), (0.529, "bottom"), (1.0, "top")],
)
def test_stratum_bounds_belong_to_the_upper_stratum(agreement: float, stratum: str) -> None:
    scores = score(make_row("a", "1", ALL, YES, agreement=agreement))
    assert [name for name, value in scores.strata.items() if value is not None] == [stratum]


def test_prediction_wins_ties_and_loses_against_group_and_norm() -> None:
    scores = score(
        make_row("a", "1", ALL, YES, group=(0.5,) * 9),  # 0 against 0.5 and 1
        make_row("a", "2", NONE, NO, group=NO),  # 0 against 0 and 0
        make_row("a", "3", NONE, YES, group=NO),  # 1 against 0 and 0
        make_row("a", "4", ALL, YES),  # nobody else in this context
    )
    group, norm = scores.versus_group, scores.versus_norm
    assert (group.win, group.tie, group.lose, group.not_compared) == (1, 1, 1, 1)
    assert (norm.win, norm.tie, norm.lose, norm.not_compared) == (2, 1, 1, 0)
    assert scores.mad["individual"] == 0.25


def test_agreement_is_the_mean_over_pairs() -> None:
    half = (True,) * 4 + (False,) * 5
    assert pairwise_agreement([ALL, NONE]) == 0.0
    assert pairwise_agreement([ALL, ALL, half]) == pytest.approx((1 + 4 / 9 + 4 / 9) / 3)
    assert pairwise_agreement([ALL]) is None


def test_summary_is_the_documented_object() -> None:
    scores = score_rows([make_row("a", "1", ALL, YES)], k=6, protocol="known-scenarios", predictor="made")
    summary = summary_json(scores)
    assert list(summary) == ["n_predictions", "k", "protocol", "predictor", "accuracy", "stderr", "variants"]
    assert summary["variants"]["G1-I1"] == {"fp": None, "fn": 0.0}
    assert len(summary["variants"]) == 9
