"""National ID, tax and social-security numbers: one pass of `national_table` over a text."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from functools import cache

from limen_daemon.recognizers import context, reserved
from limen_daemon.recognizers.national_table import NATIONAL_IDS, NationalId
from limen_daemon.recognizers.protocol import Match

_LEFT = r"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-./_])"
_RIGHT = r"(?![0-9A-Za-z_])(?![-./][0-9A-Za-z])"
_ANY_DIGITS = re.compile(r"\d{2}")


@cache
def _rules() -> tuple[tuple[NationalId, re.Pattern[str], re.Pattern[str]], ...]:
    # Letters of an ID are upper case except where people type them small; shapes stay case-sensitive.
    return tuple(
        (
            entry,
            re.compile(_LEFT + f"(?:{entry.shape})" + _RIGHT),
            context.words(*map(re.escape, entry.words)),
        )
        for entry in NATIONAL_IDS
    )


@cache
def _check(module: str) -> Callable[[str], bool]:
    is_valid: Callable[[str], bool] = importlib.import_module(module).is_valid
    return is_valid


def national_ids(text: str) -> Iterable[Match]:
    """Numbers that pass their country's check and stand beside its word where the shape alone is common."""
    if not _ANY_DIGITS.search(text):
        return
    for entry, shape, words in _rules():
        if entry.needs_word and not words.search(text):
            continue
        for found in shape.finditer(text):
            start, end = found.span()
            if entry.needs_word and not context.near(text, start, end, words, before=48):
                continue
            compact = re.sub(r"[\s./-]", "", found.group())
            if reserved.is_example_id(compact):
                continue
            if entry.check is None or _check(entry.check)(found.group().strip()):
                yield Match(start, end, entry.kind)
