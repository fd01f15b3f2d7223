"""Queries as conversations: what the model sees, what it is trained to write."""

from __future__ import annotations

import json
import random

from limen_daemon.detector.generative.instructions import FRAMES, Form, instruction_language
from limen_daemon.findings import Category, Subject
from limen_quantize.gguf.conversations import answer_to, conversation, forms_for
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

FRAME = FRAMES["chatml"]
QUERY = AnnotatedQuery(
    id="q",
    text='my "3 year old" repeats syllables',
    language="en",
    source="test",
    phrases=(
        MarkedPhrase(
            start=3,
            end=15,
            category=Category.RELATIONSHIP,
            subject=Subject.RELATED,
            granularity=2,
            identifiability=1,
            information="The user has a three-year-old child.",
        ),
    ),
)
CLEAN = AnnotatedQuery(id="c", text="what is a syllable?", language="en", source="test")


def test_the_information_answer_is_json_with_the_phrase_word_for_word() -> None:
    rows = json.loads(answer_to(Form.INFORMATION, QUERY))
    assert rows == [['"3 year old"', "relationship", "related", 2, 1, "The user has a three-year-old child."]]
    assert rows[0][0] in QUERY.text


def test_the_other_answers() -> None:
    assert answer_to(Form.LEAK, QUERY) == "true"
    assert answer_to(Form.LEAK, CLEAN) == "false"
    assert json.loads(answer_to(Form.PHRASES, QUERY)) == ['"3 year old"']
    assert answer_to(Form.INFORMATION, CLEAN) == "[]"


def test_only_answers_are_trained_and_the_query_is_given_once() -> None:
    parts = conversation(QUERY, (Form.LEAK, Form.INFORMATION), FRAME, leak_weight=3.0)
    answered = ["".join(segment.text for segment in part.segments) for part in parts if part.answered]
    assert answered == ["true", answer_to(Form.INFORMATION, QUERY), "<|im_end|>"]
    assert next(part.weight for part in parts if part.answered) == 3.0
    whole = "".join(segment.text for part in parts for segment in part.segments)
    assert whole.count(QUERY.text) == 1
    assert whole.count("<|im_start|>assistant") == 2


def test_typed_text_is_never_a_special_segment() -> None:
    for form in Form:
        parts = conversation(QUERY, (form,), FRAME)
        special = [segment.text for part in parts for segment in part.segments if segment.special]
        assert not any(QUERY.text in text for text in special)


def test_a_query_that_leaks_nothing_is_asked_once() -> None:
    rng = random.Random(0)
    assert forms_for(CLEAN, rng, alone=0.0, phrases=0.0) == (Form.LEAK,)
    assert forms_for(QUERY, rng, alone=0.0, phrases=0.0) == (Form.LEAK, Form.INFORMATION)
    assert forms_for(CLEAN, rng, alone=1.0, phrases=1.0) == (Form.PHRASES,)


def test_instructions_follow_the_script_of_the_text() -> None:
    assert instruction_language("我住在杭州。") == "zh"
    assert instruction_language("I live in Hangzhou (杭州).") == "en"
    assert instruction_language("1234 !!") == "en"
