"""Numbers without a check digit that the text itself names: passports, driving licences, accounts."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.protocol import Match

_LINK = r"(?:\s*(?:number|no\.?|nr\.?|num|nummer|id|#|号码?|号))?\s*(?:is|ist|lautet|was|:|：|=|是|为|#)?\s*[\"'(]?"
_NUMBER = r"(?P<number>[A-Za-z]{0,3}-?\d[0-9A-Za-z]*(?:[ -]?[0-9A-Za-z]*\d[0-9A-Za-z]*){0,5})(?![0-9A-Za-z])"
_LABELS = (
    ("passport", r"passport|reisepass|passnummer|pasaporte|passeport|护照"),
    ("licence", r"driv(?:ing|er'?s?|ers'?) licen[cs]e|driver licen[cs]e|führerschein|驾驶证|驾照"),
    (
        "account_number",
        r"(?:bank |checking |savings )?account|acct|kontonummer|konto|银行账号|账号|帐号|routing|sort code",
    ),
    (
        "health_id",
        r"(?:health |medical )?insurance|versicherten|versicherung|krankenkassen|medicare|医保卡?|社保卡?",
    ),
)
_RULES = tuple(
    (kind, re.compile(rf"(?<![A-Za-z])(?:{label}){_LINK}{_NUMBER}", re.IGNORECASE)) for kind, label in _LABELS
)
_MIN_DIGITS = 6
_MAX_LENGTH = 30
_SKIP = re.compile(r"(?:19|20)\d\d[-/.]?\d\d[-/.]?\d\d$")


def documents(text: str) -> Iterable[Match]:
    for kind, rule in _RULES:
        for found in rule.finditer(text):
            number = found.group("number").rstrip(" -")
            digits = sum(character.isdigit() for character in number)
            if digits < _MIN_DIGITS or len(number) > _MAX_LENGTH or _SKIP.match(number):
                continue
            if reserved.is_example_id(re.sub(r"[\s-]", "", number)):
                continue
            yield Match(found.start("number"), found.start("number") + len(number), kind, score=0.9)
