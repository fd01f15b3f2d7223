"""Decoding: legal tags, whole words, tidy edges, and the rules that say when a text discloses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limen_daemon.detector.decode import (
    BEGIN,
    INSIDE,
    OUTSIDE,
    Decoded,
    DecodedSpan,
    DecodingRules,
    apply_rules,
    best_tags,
    decode,
    spans_of,
    tidy_edges,
    units_of,
)
from limen_daemon.detector.layout import HEADS, LabelLayout
from limen_daemon.errors import ModelDamaged
from limen_daemon.findings import Category, Subject

LAYOUT = LabelLayout.standard()


def make_logits(tags: list[int], *, category: str = "health", leak: float = 3.0) -> np.ndarray:
    """Logits that say `tags` for the tokens after the start token, each with some room for doubt."""
    logits = np.zeros((len(tags) + 1, LAYOUT.width), dtype=np.float32)
    logits[0, LAYOUT.columns["leak"][1]] = leak
    for row, tag in enumerate(tags, start=1):
        logits[row, LAYOUT.columns["tag"][tag]] = 4.0
        logits[row, LAYOUT.columns["category"][HEADS["category"].index(category)]] = 4.0
        logits[row, LAYOUT.columns["granularity"][2]] = 4.0
    return logits


def phrases(text: str, offsets: list[tuple[int, int]], tags: list[int]) -> list[str]:
    decoded = decode(make_logits(tags), [(0, 0), *offsets], text, LAYOUT)
    return [text[span.start : span.end] for span in decoded.spans]


def make_span(start: int, score: float) -> DecodedSpan:
    return DecodedSpan(start, start + 3, score, Category.HEALTH, Subject.USER, 2, 1)


def test_layout_survives_the_way_through_config_json():
    as_json = {str(column): name for column, name in LAYOUT.id2label().items()}
    assert LabelLayout.from_id2label(as_json) == LAYOUT
    assert LAYOUT.width == sum(len(labels) for labels in HEADS.values())


def test_layout_refuses_a_classifier_of_another_kind():
    with pytest.raises(ModelDamaged, match="tag:O"):
        LabelLayout.from_id2label({0: "B-PER", 1: "I-PER", 2: "O"})


def test_a_phrase_never_begins_or_ends_inside_a_word():
    text = "my repetition hurts"
    offsets = [(0, 2), (2, 6), (6, 9), (9, 13), (13, 19)]  # my| rep|eti|tion| hurts
    assert phrases(text, offsets, [OUTSIDE, OUTSIDE, BEGIN, INSIDE, INSIDE]) == ["repetition hurts"]
    assert phrases(text, offsets, [OUTSIDE, BEGIN, INSIDE, OUTSIDE, OUTSIDE]) == ["repetition"]


def test_chinese_tokens_stand_alone():
    text = "我妈72了"
    offsets = [(0, 1), (1, 2), (2, 4), (4, 5)]
    assert phrases(text, offsets, [OUTSIDE, BEGIN, INSIDE, OUTSIDE]) == ["妈72"]


def test_a_lone_function_word_is_no_phrase():
    text = "that I will move to Leeds"
    offsets = [(0, 4), (5, 6), (7, 11), (12, 16), (17, 19), (20, 25)]
    assert phrases(text, offsets, [OUTSIDE, OUTSIDE, BEGIN, OUTSIDE, OUTSIDE, BEGIN]) == ["Leeds"]
    assert phrases(text, offsets, [OUTSIDE, OUTSIDE, BEGIN, INSIDE, INSIDE, INSIDE]) == ["will move to Leeds"]


def test_a_word_that_leads_to_the_next_phrase_belongs_to_neither():
    text = "a nurse in Leeds"
    offsets = [(0, 1), (2, 7), (8, 10), (11, 16)]
    assert phrases(text, offsets, [OUTSIDE, BEGIN, INSIDE, BEGIN]) == ["nurse", "Leeds"]
    assert phrases(text, offsets, [OUTSIDE, BEGIN, INSIDE, INSIDE]) == ["nurse in Leeds"]
    assert phrases(text, offsets, [OUTSIDE, BEGIN, INSIDE, OUTSIDE]) == ["nurse in"]


def test_one_doubtful_token_does_not_cut_a_word_in_two():
    text = "diagnosed"
    offsets = [(0, 4), (4, 6), (6, 9)]
    assert phrases(text, offsets, [BEGIN, BEGIN, INSIDE]) == ["diagnosed"]


def test_offsets_count_code_points_beside_emoji():
    text = "👋🏽 I am 72"
    offsets = [(0, 1), (1, 2), (2, 4), (4, 7), (7, 10)]
    assert phrases(text, offsets, [OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE, BEGIN]) == ["72"]


def test_a_blank_token_takes_no_part():
    text = "张 伟"
    assert phrases(text, [(0, 1), (1, 2), (2, 3)], [BEGIN, OUTSIDE, INSIDE]) == ["张 伟"]


def test_heads_are_read_over_the_phrase():
    decoded = decode(make_logits([BEGIN, INSIDE], category="age"), [(0, 0), (0, 2), (2, 5)], "72 yo", LAYOUT)
    (span,) = decoded.spans
    assert (span.category, span.granularity) == (Category.AGE, 3)
    assert span.score > 0.9
    assert decoded.leak == pytest.approx(1 / (1 + np.exp(-3.0)), abs=1e-5)


def make_shy_logits(*, leak: float) -> np.ndarray:
    """Two words, the second in a phrase with probability 0.3 only."""
    logits = make_logits([OUTSIDE, OUTSIDE], leak=leak)
    tag = list(LAYOUT.columns["tag"])
    logits[2, tag] = np.log([0.7, 0.29, 0.01])
    return logits


def test_a_sure_leak_head_brings_out_the_phrase_that_the_tags_were_shy_of():
    text, offsets = "am diabetic", [(0, 0), (0, 2), (2, 11)]
    quiet = decode(make_shy_logits(leak=5.0), offsets, text, LAYOUT)
    assert quiet.spans == ()
    found = decode(make_shy_logits(leak=5.0), offsets, text, LAYOUT, sure_leak=0.9)
    assert [text[span.start : span.end] for span in found.spans] == ["diabetic"]


def test_an_unsure_leak_head_brings_out_nothing():
    found = decode(make_shy_logits(leak=0.0), [(0, 0), (0, 2), (2, 11)], "am diabetic", LAYOUT, sure_leak=0.9)
    assert found.spans == ()


def test_bias_widens_what_counts_as_a_phrase():
    found = decode(
        make_shy_logits(leak=0.0), [(0, 0), (0, 2), (2, 11)], "am diabetic", LAYOUT, inside_bias=1.0
    )
    assert len(found.spans) == 1


def test_an_empty_text_has_no_phrase():
    assert decode(make_logits([]), [(0, 0)], "", LAYOUT).spans == ()


def best_by_trying_all(probabilities: np.ndarray) -> float:
    """The slow definition: the best score over every legal tag sequence."""
    scores = []
    for tags in itertools.product((OUTSIDE, BEGIN, INSIDE), repeat=len(probabilities)):
        legal = all(
            tag != INSIDE or (at > 0 and tags[at - 1] in (BEGIN, INSIDE)) for at, tag in enumerate(tags)
        )
        if legal:
            scores.append(sum(np.log(probabilities[at, tag]) for at, tag in enumerate(tags)))
    return max(scores)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.floats(0.01, 1)] * 3), min_size=1, max_size=6))
def test_viterbi_finds_what_trying_all_sequences_finds(rows: list[tuple[float, float, float]]):
    probabilities = np.asarray(rows) / np.asarray(rows).sum(axis=1, keepdims=True)
    tags = best_tags(probabilities)
    assert all(tag != INSIDE or (at and tags[at - 1] != OUTSIDE) for at, tag in enumerate(tags))
    score = sum(np.log(probabilities[at, tag]) for at, tag in enumerate(tags))
    assert score == pytest.approx(best_by_trying_all(probabilities), abs=1e-5)


def test_neighbouring_phrases_stay_two():
    assert spans_of([BEGIN, INSIDE, BEGIN, OUTSIDE, BEGIN]) == [(0, 2), (2, 3), (4, 5)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" my son, ", "my son"),
        ('"teacher"', '"teacher"'),
        ('teacher"', "teacher"),
        ("(in Leeds", "in Leeds"),
        ("Kofi (my son)", "Kofi (my son)"),
        ("my parents' house", "my parents' house"),
        ("my parents'", "my parents'"),
        ("-5 dioptres", "-5 dioptres"),
        ("，妈妈。", "妈妈"),
        ("...", ""),
    ],
)
def test_edges_lose_punctuation_but_not_meaning(text: str, kept: str):
    start, end = tidy_edges(text, 0, len(text))
    assert text[start:end] == kept


@given(st.text(max_size=30), st.data())
def test_units_tile_the_tokens_in_order(text: str, data: st.DataObject):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)) | {0, len(text)})
    units = units_of(text, list(itertools.pairwise(cuts)))
    assert (units.start[1:] >= units.end[:-1]).all()
    assert all(
        not text[s].isspace() and not text[e - 1].isspace()
        for s, e in zip(units.start, units.end, strict=True)
    )


def test_below_the_leak_score_nothing_is_kept():
    decoded = Decoded((make_span(0, 0.9),), leak=0.1)
    assert apply_rules(decoded, DecodingRules(min_leak=0.6)) == ((), pytest.approx(0.5))


def test_a_disclosing_text_keeps_its_best_phrase_even_when_weak():
    decoded = Decoded((make_span(0, 0.45), make_span(5, 0.4)), leak=0.9)
    kept, leak_score = apply_rules(decoded, DecodingRules(min_leak=0.6, min_span=0.5))
    assert [span.start for span in kept] == [0]
    assert leak_score > 0.6


def test_weak_phrases_beside_a_strong_one_are_dropped():
    decoded = Decoded((make_span(0, 0.9), make_span(5, 0.4)), leak=0.9)
    kept, _ = apply_rules(decoded, DecodingRules(min_span=0.5))
    assert [span.start for span in kept] == [0]


def test_no_phrase_means_no_disclosure_whatever_the_leak_head_says():
    assert apply_rules(Decoded((), leak=0.99), DecodingRules())[0] == ()
