from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.wire.utf16 import Utf16Offsets


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_offset_is_the_length_of_the_text_before_it(text: str) -> None:
    offsets = Utf16Offsets(text)
    assert [offsets.of(i) for i in range(len(text) + 1)] == [units(text[:i]) for i in range(len(text) + 1)]


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("I live in Leeds", "Leeds", (10, 15)),
        ("\U0001f600 I live in Leeds", "Leeds", (13, 18)),
        ("\U0001f468‍\U0001f469‍\U0001f467 我妈72了", "72", (11, 13)),
        ("a\U0001f600b\U0001f600c", "\U0001f600c", (4, 7)),
    ],
)
def test_a_phrase_after_emoji_is_found_where_javascript_sees_it(
    text: str, phrase: str, expected: tuple[int, int]
) -> None:
    start = text.rindex(phrase)
    offsets = Utf16Offsets(text)
    assert (offsets.of(start), offsets.of(start + len(phrase))) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_way_back_is_the_same(text: str) -> None:
    offsets = Utf16Offsets(text)
    assert [offsets.back(offsets.of(i)) for i in range(len(text) + 1)] == list(range(len(text) + 1))


@pytest.mark.parametrize("units", [1, 4, -1, 9])
def test_no_way_back_from_inside_a_character_or_outside_the_text(units: int) -> None:
    with pytest.raises(ValueError, match=r"inside|outside"):
        Utf16Offsets("\U0001f600b\U0001f600c").back(units)


@pytest.mark.parametrize("offset", [-1, 3])
def test_an_offset_outside_the_text_is_refused(offset: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        Utf16Offsets("ab").of(offset)
