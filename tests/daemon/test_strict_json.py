from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.errors import NotJson
from limen_daemon.wire import strict_json

NEEDLE = "correct horse battery"
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\[{', max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES, st.booleans())
def test_reads_what_the_standard_decoder_reads(value: object, is_ascii: bool) -> None:
    text = json.dumps({"v": value}, ensure_ascii=is_ascii)
    try:
        read = strict_json.loads(text.encode())
    except NotJson as error:
        assert "nested" in str(error)
        return
    assert read == json.loads(text)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"a":1,}',
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b'{"a":1e999}',
        b'{"a":1,"a":2}',
        b'{"a":{"b":1,"b":1}}',
        b'{"a":' + b"9" * 5000 + b"}",
        b'{"a":"\\ud83d"}',
        b'{"\\udc00":1}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\xbd"}',
        b"[" * 9 + b"]" * 9,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":"unclosed\\',
    ],
    ids=lambda body: repr(body[:14]),
)
def test_what_the_standard_decoder_lets_through_is_refused(body: bytes) -> None:
    with pytest.raises(NotJson):
        strict_json.loads(body)


def test_eight_levels_are_read_and_brackets_in_strings_do_not_count() -> None:
    assert strict_json.loads(b"[" * 8 + b"]" * 8) == [[[[[[[[]]]]]]]]
    assert strict_json.loads(b'{"a":"' + b"[" * 500 + b'\\"{{"}') == {"a": "[" * 500 + '"{{'}


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert strict_json.loads(b'{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize("body", [f'{{"text":"{NEEDLE}"', f'{{"text":"{NEEDLE}","text":1}}', f"{NEEDLE}"])
def test_no_refusal_carries_the_body(body: str) -> None:
    with pytest.raises(NotJson) as caught:
        strict_json.loads(body.encode())
    error: BaseException | None = caught.value
    assert NEEDLE not in str(error)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
