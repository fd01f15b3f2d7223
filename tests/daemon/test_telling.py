"""A phrase made of nothing but function words is never shown."""

from __future__ import annotations

import pytest

from limen_daemon.detector.telling import tells_something


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
        "我",
        "慌",
        "🤰",
        "à",
        "über",
    ],
)
def test_anything_else_may_tell_something(phrase: str) -> None:
    assert tells_something(phrase)
