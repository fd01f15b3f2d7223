"""A phrase made of nothing but function words, or of a vague word or two, is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from limen_daemon.detector.telling import tells_something, without_link


@pytest.mark.parametrize(
    "phrase",
    [
        "will",
        "to",
        "in the",
        "and my",
        "I",
        "I am",
        "I’m",
        "that's",
        "</s>",
        "<br /><br />",
        "the <b>",
        "--",
        "of our",
        "My",
        "The",
        "And my",
        "That’s",
        "always",
        "suddenly",
        "Always",
        "give me",
        "Dear",
        "我",
        "都有",
        "觉得",
    ],
)
def test_function_words_tell_nothing(phrase: str) -> None:
    assert not tells_something(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        "Will",
        "IT",
        "US",
        "in May",
        "my dog",
        "no",
        "mine",
        "not at home",
        "7",
        "in 2",
        "got so much to do",
        "a lot of free time",
        "Page",
        "tired",
        "part time",
        "passed away",
        "gave up",
        "asked out",
        "is gone",
        "let go",
        "name change",
        "my company",
        "much better",
        "found someone",
        "getting help",
        "my 🤰",
        "new job",
        "我们家",
        "没有",
        "慌",
        "🤰",
        "à",
        "über",
    ],
)
def test_anything_else_may_tell_something(phrase: str) -> None:
    assert tells_something(phrase)


@pytest.mark.parametrize(
    ("phrase", "kept"),
    [
        ("nurse in", "nurse"),
        ("teacher at the", "teacher"),
        ("live with my", "live"),
        ("in", "in"),
        ("moved out", "moved out"),
        ("engineer at IN", "engineer at IN"),
        ("我在 in", "我在"),
    ],
)
def test_words_that_only_lead_to_the_next_phrase_are_left_off(phrase: str, kept: str) -> None:
    assert without_link(phrase) == kept


def test_no_phrase_of_the_corpus_is_taken_for_a_slip() -> None:
    """Phrases that annotators marked; whatever an annotator marked is shown."""
    from limen_quantize.readers import read

    corpus = Path(__file__).parents[2] / "quantize" / "corpus"
    marked = {
        query.text[phrase.start : phrase.end]
        for file in sorted(corpus.glob("*.txt"))
        if file.name[:2] in ("en", "zh")
        for query in read(str(file))
        for phrase in query.phrases
    }
    hidden = sorted(phrase for phrase in marked if not tells_something(phrase))
    assert len(marked) > 18_000
    # What these tell lies in the text around them.
    telling_by_context = ["is it over for me", "that is me", "try again"]
    assert [phrase for phrase in hidden if phrase[0] != "<"] == telling_by_context
