"""Scores during training, against the published definition worked by hand, and the choice of rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.detector.decode import Decoded, DecodedSpan
from limen_daemon.findings import Category, Subject
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.rules import choose_rules
from limen_quantize.scores import matches, rouge_l, score


@pytest.mark.parametrize(
    ("one", "other", "language", "same"),
    [
        ("type 2 diabetes", "Diabetes", "en", True),
        ("in Leeds, England", "leedsengland", "en", True),
        ("runs every single morning", "runs early every morning", "en", True),
        ("teacher", "nurse", "en", False),
        ("左膝置换以后", "膝置换", "zh", True),
        ("下楼梯疼", "上楼梯疼", "zh", True),
        ("妈妈", "爸爸", "zh", False),
    ],
)
def test_phrases_match_as_published(one: str, other: str, language: str, same: bool):
    assert matches(one, other, language) is same


def test_recall_and_precision_average_over_their_own_queries():
    gold = [["my son", "ten"], ["nurse"], [], []]
    found = [["son"], [], ["x"], []]
    scores = score(gold, found, "en")
    assert scores.accuracy == 0.5
    assert scores.recall == pytest.approx((0.5 + 0.0) / 2)
    assert scores.precision == pytest.approx((1.0 + 0.0) / 2)


def test_no_queries_score_zero():
    assert score([], [], "en").f1 == 0.0


def subsequence_length(a: str, b: str) -> int:
    """Longest common subsequence by its recursive definition."""
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return subsequence_length(a[:-1], b[:-1]) + 1
    return max(subsequence_length(a[:-1], b), subsequence_length(a, b[:-1]))


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_rouge_equals_its_slow_definition(a: str, b: str):
    expected = 2 * subsequence_length(a, b) / (len(a) + len(b)) if a and b else 0.0
    assert rouge_l(a, b, "zh") == pytest.approx(expected)


def make_case(at: int, *, discloses: bool, leak: float, span: float) -> tuple[AnnotatedQuery, Decoded]:
    phrases = [{"start": 0, "end": 3}] if discloses else []
    query = AnnotatedQuery.model_validate(
        {"id": str(at), "text": "ten years", "language": "en", "source": "x", "phrases": phrases}
    )
    return query, Decoded((DecodedSpan(0, 3, span, Category.AGE, Subject.USER, 1, 1),), leak)


def test_rules_are_chosen_to_part_what_discloses_from_what_does_not():
    cases = [make_case(i, discloses=True, leak=0.55, span=0.6) for i in range(20)]
    cases += [make_case(20 + i, discloses=False, leak=0.3, span=0.55) for i in range(20)]
    queries, decoded = [case[0] for case in cases], [case[1] for case in cases]
    _, scores = choose_rules(decoded, queries)
    assert scores["en"].accuracy == 1.0
    assert scores["en"].f1 == 1.0
