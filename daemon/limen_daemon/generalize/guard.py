"""The last look at a wording: it must not carry what it stands for."""

from __future__ import annotations

import re

from limen_daemon.findings import Category

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W_]+")
_VALUES = frozenset({Category.CONTACT, Category.IDENTIFIER, Category.CREDENTIAL, Category.NAME})
_LINKED = 3
MAX_CHARACTERS = 160


def carries(phrase: str, wording: str, category: Category, keeps: tuple[str, ...] = ()) -> bool:
    """Whether `wording` still gives the value away: the phrase itself, one of its numbers, or, for names,
    contacts, identifiers and credentials, one of the value's own words.

    `keeps`: numbers that may stay. What is only small letters is a label or grammar, not a value.
    """
    if phrase.strip().casefold() in wording.casefold():
        return True
    numbers = {_plain(number) for number in _DIGITS.findall(phrase)} - set(keeps)
    if numbers & {_plain(number) for number in _DIGITS.findall(wording)}:
        return True
    if category not in _VALUES:
        return False
    values = {
        word.casefold()
        for token in phrase.split()
        for word in _WORD.findall(token)
        if not (token.isalpha() and token.islower())
    }
    values -= set(keeps)
    if values & {word.casefold() for word in _WORD.findall(wording)}:
        return True
    said = wording.casefold()
    return any(len(value) >= _LINKED and value.isascii() and value in said for value in values)


_TWO_DETERMINERS = re.compile(
    r"\b(?:an?|the|my|our|his|her|its|their|your) (?:an?|the|some|many|my|our|his|her|their)\b"
    r"|\b(?:eine?[mnrs]?|meine?[mnrs]?|unsere?[mnrs]?) (?:eine?[mnrs]?|meine?[mnrs]?)\b"
    r"|\b(?P<word>in|a|of|at|for|with|on) (?P=word)\b|一种一种|一家一家"
    r"|(?P<twice>签证|行业|工作|公司)(?P=twice)",
    re.I,
)


def reads(before: str, wording: str) -> bool:
    """Whether no word is said twice and no article meets another, where the wording follows `before`."""
    joint = before[-12:].rsplit("\n", 1)[-1]
    if joint and not joint[-1].isspace() and joint[-1].isascii() and joint[-1].isalnum():
        return not _TWO_DETERMINERS.search(wording)
    return not _TWO_DETERMINERS.search(
        joint.partition(" ")[2] + wording if len(before) > 12 else joint + wording
    )


def is_sound(phrase: str, wording: str) -> bool:
    """One line, not empty, not much longer than the phrase, with no doubled blanks or dangling signs."""
    limit = min(MAX_CHARACTERS, 2 * len(phrase) + 40)
    return (
        0 < len(wording) <= limit
        and wording == wording.strip()
        and not re.search(r"[\r\n]|  | [,.;:!?]", wording)
    )


def _plain(number: str) -> str:
    return number.replace(",", "").rstrip("0").rstrip(".") if "." in number else number.replace(",", "")
