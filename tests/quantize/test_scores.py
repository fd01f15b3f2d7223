"""Scores during training, against the published definition worked by hand, and the choice of rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.detector.decode import DecodingRules
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answers import Answer
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.rules import choose_rules, score_with
from limen_quantize.scores import matches, rouge_l, score, word_count

LAYOUT = LabelLayout.standard()


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


def test_false_alarms_count_only_where_nothing_discloses():
    scores = score([["ten"], [], []], [["x", "y"], ["z"], []], "en", n_words=[100, 60, 40])
    assert scores.alarms_per_1000_words == 10.0


@pytest.mark.parametrize(("text", "n"), [("a b-c\nd", 3), ("我妈72了", 4), ("", 0)])
def test_every_han_character_is_a_word(text: str, n: int):
    assert word_count(text) == n


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


def make_answer(at: int, *, discloses: bool, leak: float, inside: float) -> Answer:
    """An answer of one word token that is in a phrase with probability `inside`."""
    phrases = [{"start": 0, "end": 3}] if discloses else []
    query = AnnotatedQuery.model_validate(
        {"id": str(at), "text": "ten years", "language": "en", "source": "x", "phrases": phrases}
    )
    logits = np.full((2, LAYOUT.width), -20.0, dtype=np.float32)
    logits[0, list(LAYOUT.columns["leak"])] = np.log([1 - leak, leak])
    logits[1, list(LAYOUT.columns["tag"])] = np.log([1 - inside, inside * 0.99, inside * 0.01])
    return Answer(query, logits, [(0, 0), (0, 3)])


def test_rules_are_chosen_to_part_what_discloses_from_what_does_not():
    answers = [make_answer(i, discloses=True, leak=0.55, inside=0.6) for i in range(20)]
    answers += [make_answer(20 + i, discloses=False, leak=0.3, inside=0.55) for i in range(20)]
    rules, scores = choose_rules(answers, LAYOUT)
    assert scores["en"].accuracy == 1.0
    assert scores["en"].f1 == 1.0
    assert score_with(answers, LAYOUT, rules) == scores


def test_chinese_texts_get_rules_of_their_own():
    english = [make_answer(i, discloses=i < 20, leak=0.9 if i < 20 else 0.7, inside=0.9) for i in range(40)]
    chinese = [make_answer(i, discloses=i < 20, leak=0.6 if i < 20 else 0.4, inside=0.9) for i in range(40)]
    chinese = [in_chinese(answer) for answer in chinese]
    rules, scores = choose_rules([*english, *chinese], LAYOUT)
    assert scores["en"].accuracy == scores["zh"].accuracy == 1.0
    assert rules.of("十年了").min_leak < rules.of("ten years").min_leak
    alone, _ = choose_rules(chinese, LAYOUT)
    assert alone.han is None
    assert alone.min_leak == rules.of("十年了").min_leak


def test_a_text_with_a_few_latin_words_is_still_chinese():
    rules = DecodingRules(min_leak=0.9, han=DecodingRules(min_leak=0.6))
    assert rules.of("我在用 Python 写一个小工具").min_leak == 0.6
    assert rules.of("what does 加油 mean in this song, please").min_leak == 0.9
    assert rules.of("12 + 30").min_leak == 0.9


def in_chinese(answer: Answer) -> Answer:
    query = answer.query.model_copy(update={"text": "十年了", "language": "zh"})
    return Answer(query, answer.logits, answer.offsets)


def test_a_shy_tag_head_is_helped_by_a_sure_leak_head():
    answers = [make_answer(i, discloses=True, leak=0.95, inside=0.3) for i in range(20)]
    answers += [make_answer(20 + i, discloses=False, leak=0.05, inside=0.3) for i in range(20)]
    assert score_with(answers, LAYOUT, DecodingRules(leak_weight=1.0))["en"].accuracy == 0.5
    helped = DecodingRules(leak_weight=1.0, sure_leak=0.9)
    assert score_with(answers, LAYOUT, helped)["en"].accuracy == 1.0


def test_a_network_unsure_of_each_word_gets_more_bias():
    shy = [make_answer(i, discloses=True, leak=0.95, inside=0.25) for i in range(20)]
    sure = [make_answer(i, discloses=True, leak=0.95, inside=0.9) for i in range(20)]
    neutral = [make_answer(20 + i, discloses=False, leak=0.05, inside=0.02) for i in range(20)]
    rules, scores = choose_rules([*shy, *neutral], LAYOUT)
    assert rules.inside_bias > 1.0 and scores["en"].f1 == 1.0
    assert choose_rules([*sure, *neutral], LAYOUT)[0].inside_bias == 0.5


def test_only_threshold_and_bias_are_chosen():
    answers = [make_answer(i, discloses=True, leak=0.9, inside=0.9) for i in range(20)]
    answers += [make_answer(20 + i, discloses=False, leak=0.3, inside=0.9) for i in range(20)]
    rules, _ = choose_rules(answers, LAYOUT)
    assert (rules.leak_weight, rules.min_span, rules.inside_bias, rules.sure_leak) == (0.7, 0.6, 0.5, 1.0)
    quiet, loud = 0.7 * 0.3 + 0.3 * 0.9, 0.9
    assert quiet < rules.min_leak < loud + 0.05
