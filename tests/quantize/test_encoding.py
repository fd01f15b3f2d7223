"""Token labels, windows, augmentation and batches: what the network learns from."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from limen_daemon.detector.decode import BEGIN, INSIDE, OUTSIDE
from limen_daemon.detector.layout import HEADS
from limen_quantize.answer_file import CharacterAnswer
from limen_quantize.augmentation import View, augment, edit, hide_tokens, join
from limen_quantize.batches import bucketed
from limen_quantize.config import Augmentation
from limen_quantize.encoding import IGNORED, Encoded, encode, token_labels
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.readers import read_inline
from limen_quantize.split import split


@pytest.fixture(name="queries")
def fixture_queries(corpus_file: Path) -> list[AnnotatedQuery]:
    return read_inline(corpus_file)


@pytest.fixture(name="tokenizer")
def fixture_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({"<s>": 0, "</s>": 1, "<unk>": 2}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    return tokenizer


def test_labels_begin_each_phrase_and_ignore_blanks(queries: list[AnnotatedQuery]):
    query = queries[2]
    assert query.text == "my son is ten"
    offsets = [(0, 2), (2, 3), (3, 6), (6, 9), (9, 13)]
    tags, spans = token_labels(query.text, offsets, query.phrases)
    assert tags == [BEGIN, IGNORED, INSIDE, OUTSIDE, BEGIN]
    assert spans["category"] == [
        HEADS["category"].index("relationship"),
        IGNORED,
        HEADS["category"].index("relationship"),
        IGNORED,
        HEADS["category"].index("age"),
    ]
    assert spans["identifiability"][-1] == HEADS["identifiability"].index("2")


def test_a_token_that_reaches_over_a_phrase_belongs_to_it(queries: list[AnnotatedQuery]):
    tags, _ = token_labels(queries[3].text, [(0, 2), (2, 5), (5, 6)], queries[3].phrases)
    assert tags == [BEGIN, INSIDE, OUTSIDE]


def test_a_short_query_is_one_window(queries: list[AnnotatedQuery], tokenizer: Tokenizer):
    (window,) = encode(queries[0], tokenizer, max_tokens=16)
    assert (window.ids[0], window.ids[-1]) == (0, 1)
    assert len(window.ids) == len(window.tags) == len(window.spans["subject"])
    assert window.leak == 1


def test_a_long_query_is_cut_and_each_window_judged_by_what_it_holds(
    queries: list[AnnotatedQuery], tokenizer: Tokenizer
):
    filler = queries[1].model_copy(update={"text": "word " * 40})
    joined = join(View(queries[0]), View(filler), " ", neutral_first=True).query
    windows = encode(joined, tokenizer, max_tokens=18)
    assert all(len(window.ids) <= 18 for window in windows)
    assert windows[0].leak == 0 and windows[-1].leak == 1


@given(seed=st.integers(0, 10_000))
def test_augmentation_keeps_every_phrase_where_it_says(seed: int):
    text = "I have diabetes, and I am worried!"
    query = AnnotatedQuery.model_validate(
        {
            "id": "a",
            "text": text,
            "language": "en",
            "source": "x",
            "phrases": [{"start": 7, "end": 15}, {"start": 26, "end": 33}],
        }
    )
    neutral = query.model_copy(update={"text": "how far is porto?", "phrases": ()})
    certain = Augmentation(lower_case=1, typos=0, no_punctuation=1, join_neutral=1)
    inside = np.zeros(len(text), dtype=np.float32)
    for phrase in query.phrases:
        inside[phrase.start : phrase.end] = 1.0
    view = augment(View(query, CharacterAnswer(inside, 0.9)), certain, [View(neutral)], random.Random(seed))
    seen, answer = view.query, view.answer
    assert answer is not None and len(answer.inside) == len(seen.text)
    assert all((answer.inside[p.start : p.end] == 1.0).all() for p in seen.phrases)
    assert np.nansum(answer.inside) == len("diabetes") + len("worried")
    start = seen.text.index("how far is porto")
    assert np.isnan(answer.inside[start : start + 16]).all() and np.isnan(answer.leak)
    assert [seen.text[p.start : p.end] for p in seen.phrases] == ["diabetes", "worried"]
    assert "how far is porto" in seen.text


def test_hidden_tokens_leave_labels_and_ends_alone():
    window = Encoded([0, *range(10, 1010), 1], [0] * 1002, {}, 1)
    hidden = hide_tokens(window, 2, 0.25, random.Random(0))
    assert (hidden.ids[0], hidden.ids[-1], hidden.tags, hidden.leak) == (0, 1, window.tags, 1)
    assert 200 < hidden.ids.count(2) < 300
    assert all(new in (old, 2) for new, old in zip(hidden.ids, window.ids, strict=True))


def test_dropping_characters_moves_the_offsets(queries: list[AnnotatedQuery]):
    edited = edit(View(queries[0]), lambda char: "" if char == "a" else char * 2).query
    assert [edited.text[p.start : p.end] for p in edited.phrases] == ["ddiibbeetteess", "wwoorrrriieedd"]


@given(st.lists(st.integers(1, 400), min_size=1, max_size=80), st.integers(1, 16))
def test_batches_hold_every_window_once_within_bounds(lengths: list[int], batch_queries: int):
    windows = [Encoded([0] * length, [0] * length, {}, 0) for length in lengths]
    made = bucketed(windows, batch_tokens=800, batch_queries=batch_queries, rng=random.Random(0))
    assert sorted(len(w.ids) for batch in made for w in batch) == sorted(lengths)
    for batch in made:
        assert len(batch) <= batch_queries
        assert len(batch) == 1 or max(len(w.ids) for w in batch) * len(batch) <= 800


def test_the_split_is_the_same_every_time_and_never_parts_equal_texts(queries: list[AnnotatedQuery]):
    many = [
        q.model_copy(update={"text": f"{q.text} {i}", "id": f"{q.id}/{i}"})
        for q in queries
        for i in range(200)
    ]
    kept, held = split(many, 0.2)
    assert split(many, 0.2) == (kept, held)
    assert 0.15 < len(held) / len(many) < 0.25
    again = [query.model_copy(update={"id": "copy", "text": f" {query.text.upper()}"}) for query in held]
    assert split(again, 0.2) == ([], again)
    assert split(many, 0.0) == (many, [])
