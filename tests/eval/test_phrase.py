"""Which phrases match, and what the means are taken over."""

from __future__ import annotations

import pytest

from limen_eval.metrics.information import information_precision, information_recall
from limen_eval.metrics.phrase import phrase_precision, phrase_recall, phrases_match
from limen_eval.metrics.rouge import rouge_l

SIMILAR = rouge_l("published", "en")


@pytest.mark.parametrize(
    ("gold", "predicted", "match"),
    [
        ("teach chess", "I teach chess daily", True),
        ("I teach chess daily", "teach chess", True),
        ("New York, USA", "newyorkusa", True),
        ("one\ntwo", "One Two", True),
        ("my old red car", "my old blue car", True),  # Rouge-L F 0.75
        ("my car", "your car", False),  # Rouge-L F 0.5 is not above 0.5
        ("teach chess", "play football", False),
    ],
)
def test_phrases_match_by_containment_or_rouge_l_above_one_half(
    gold: str, predicted: str, match: bool
) -> None:
    assert phrases_match(gold, predicted, SIMILAR) is match


def test_recall_and_precision_count_phrases_with_any_match() -> None:
    gold, predicted = ["teach chess", "lives in Rome"], ["chess", "teach", "football"]
    assert phrase_recall(gold, predicted, SIMILAR) == 0.5
    assert phrase_precision(gold, predicted, SIMILAR) == pytest.approx(2 / 3)


def test_queries_without_phrases_are_not_scored_rather_than_scored_zero() -> None:
    assert phrase_recall([], ["x"], SIMILAR) is None
    assert phrase_precision(["x"], [], SIMILAR) is None
    assert phrase_recall(["x"], [], SIMILAR) == 0.0
    assert information_recall([], ["x"], SIMILAR) is None
    assert information_precision(["x"], [], SIMILAR) is None
    assert information_precision([], ["x"], SIMILAR) == 0.0


def test_information_takes_the_best_pair_for_each_item() -> None:
    gold, predicted = ["The user teaches chess", "The user has a dog"], ["The user teaches chess"]
    assert information_recall(gold, predicted, SIMILAR) == pytest.approx((1 + 4 / 9) / 2, abs=1e-6)
    assert information_precision(gold, predicted, SIMILAR) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("unreadable", [7, {"a": 1}, ["x"], True])
def test_information_that_is_no_string_counts_as_leaks_privacy(unreadable: object) -> None:
    gold = ["Leaks privacy."]
    assert information_precision(gold, [unreadable], SIMILAR) == pytest.approx(1.0, abs=1e-6)
    assert information_recall(gold, [unreadable], SIMILAR) == pytest.approx(1.0, abs=1e-6)
