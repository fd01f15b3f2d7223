"""Rouge-L in both flavours, against definitions worked out by hand."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_eval.metrics.rouge import _longest_common_words, rouge_l


def test_equal_texts_score_one_in_both_flavours() -> None:
    assert rouge_l("rouge-score", "en")("I teach chess", "I teach chess") == 1.0
    assert rouge_l("published", "en")("I teach chess", "I teach chess") == pytest.approx(1.0, abs=1e-7)


def test_published_flavour_heeds_case_and_punctuation_where_rouge_score_does_not() -> None:
    assert rouge_l("rouge-score", "en")("Chess, daily", "chess daily") == 1.0
    assert rouge_l("published", "en")("Chess, daily", "chess daily") == pytest.approx(0.5, abs=1e-6)


def test_published_flavour_counts_a_repeated_word_once() -> None:
    # Sets: {a, b} against {a}; precision 1/2, recall 1.
    assert rouge_l("published", "en")("a a b", "a") == pytest.approx(2 / 3, abs=1e-6)
    assert rouge_l("rouge-score", "en")("a a b", "a") == pytest.approx(0.5)


def test_published_flavour_unites_the_subsequences_of_sentences() -> None:
    # "x y" and "z w" each match one of the two sentences, though their order is reversed.
    assert rouge_l("published", "en")("z w.x y", "x y.z w") == pytest.approx(1.0, abs=1e-7)


def test_published_flavour_counts_white_space_after_a_full_stop_as_a_word() -> None:
    assert rouge_l("published", "en")("a b. ", "a b") == pytest.approx(2 * (2 / 3) / (2 / 3 + 1), abs=1e-6)


@pytest.mark.parametrize(("candidate", "reference"), [("", "a"), ("a", ""), ("...", "a")])
def test_empty_text_scores_zero(candidate: str, reference: str) -> None:
    assert rouge_l("published", "en")(candidate, reference) == 0.0
    assert rouge_l("rouge-score", "en")(candidate, reference) == 0.0


@pytest.mark.parametrize("flavour", ["published", "rouge-score"])
def test_chinese_is_compared_character_by_character(flavour: str) -> None:
    score = rouge_l(flavour, "zh")("我喜欢下棋", "我爱下棋")  # type: ignore[arg-type]
    assert score == pytest.approx(2 * (3 / 5) * (3 / 4) / (3 / 5 + 3 / 4), abs=1e-6)


@given(st.lists(st.sampled_from("abcd"), max_size=7), st.lists(st.sampled_from("abcd"), max_size=7))
def test_longest_common_words_come_from_a_longest_common_subsequence(x: list[str], y: list[str]) -> None:
    words = _longest_common_words(x, y)
    assert words in [set(s) for s in _all_longest(tuple(x), tuple(y))]


@cache
def _all_longest(x: tuple[str, ...], y: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Every longest common subsequence, by the slow definition."""
    if not x or not y:
        return frozenset([()])
    if x[-1] == y[-1]:
        found = {(*s, x[-1]) for s in _all_longest(x[:-1], y[:-1])}
    else:
        found = set(_all_longest(x[:-1], y)) | set(_all_longest(x, y[:-1]))
    best = max(map(len, found))
    return frozenset(s for s in found if len(s) == best)
