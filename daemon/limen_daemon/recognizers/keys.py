"""API keys: a vendor's prefix, or a random value that a key-like name is set to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.context import NOT_AFTER_WORD, NOT_BEFORE_WORD
from limen_daemon.recognizers.entropy import bits_per_character
from limen_daemon.recognizers.key_table import KEY_NAMES, KEY_SHAPES
from limen_daemon.recognizers.protocol import Match

_PREFIXED = re.compile(NOT_AFTER_WORD + "(?:" + "|".join(KEY_SHAPES) + ")" + NOT_BEFORE_WORD)
_NAMED = re.compile(
    rf"(?:{KEY_NAMES})[\"'`\]]{{0,3}}\s{{0,3}}(?:=>|:=|=|:|：|is|是|为)\s{{0,3}}(?:Bearer\s)?[\"'`]?"
    r"(?P<value>[0-9A-Za-z_+/.=~-]{16,512})",
    re.IGNORECASE,
)
_MIN_BITS = 3.0
_AWS_EXAMPLE = re.compile(r"EXAMPLE(?:KEY)?$")
_SEEMS_CODE = re.compile(r"^[A-Za-z_]+(?:[._-][A-Za-z_]+)*$")


def keys(text: str) -> Iterable[Match]:
    """Known shapes first; a named value must hold digits and letters and look random."""
    for found in _PREFIXED.finditer(text):
        value = found.group()
        if not _AWS_EXAMPLE.search(value) and not reserved.is_placeholder(value):
            yield Match(found.start(), found.end(), "api_key")
    for found in _NAMED.finditer(text):
        value = found.group("value").rstrip(".,")
        if _is_random(value) and not reserved.is_placeholder(value) and not _AWS_EXAMPLE.search(value):
            yield Match(found.start("value"), found.start("value") + len(value), "api_key", score=0.95)


def _is_random(value: str) -> bool:
    if _SEEMS_CODE.match(value) or "://" in value or not any(c.isdigit() for c in value):
        return False
    return any(c.isalpha() for c in value) and bits_per_character(value) >= _MIN_BITS
