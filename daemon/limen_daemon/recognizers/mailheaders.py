"""Names of other people in quoted mail: `On <date> Name <address> wrote:`, `From: Name <address>`, signatures."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers.protocol import Match, Owner

_PERSON = (
    r"(?P<name>[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ɏ'’.-]{1,24}"
    r"(?:\s(?:(?:van|von|de|der|den|di|da|la|le|bin|al)\s)?[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ɏ'’.-]{0,24}){1,3})"
)
_WROTE = re.compile(
    r"(?:\d{1,2}:\d{2}(?:\s?[AaPp][Mm])?,?|\d{4},?)\s"
    + _PERSON
    + r"\s?(?:[-–<(\[]|&lt;)\s?(?:mailto:)?[^\s@]{1,64}@"
)
_FIELD = re.compile(
    r"^[ \t>]{0,6}(?:From|To|Cc|Von|An|De|发件人|收件人)[:：]\s?\"?" + _PERSON + r"\"?\s?[<(\[]", re.MULTILINE
)
_SIGNATURE = re.compile(
    r"^[ \t>]{0,6}(?P<name>[A-ZÀ-Þ][A-Za-zÀ-ÖØ-öø-ɏ'’-]{1,24}(?:\s[A-ZÀ-Þ][A-Za-zÀ-ÖØ-öø-ɏ'’-]{1,24}){0,2})\s?\|\s?"
    r"(?=[^\n]{0,40}(?:mobile|mob|tel|phone|fax|\+\d))",
    re.MULTILINE | re.IGNORECASE,
)
_NOT_A_NAME = frozenset(
    {"from", "to", "sent", "date", "subject", "on", "name", "guest", "email", "phone", "mobile", "tel"}
)


def mail_headers(text: str) -> Iterable[Match]:
    if "@" not in text:
        return
    for rule in (_WROTE, _FIELD, _SIGNATURE):
        for found in rule.finditer(text):
            if found.group("name").lower() not in _NOT_A_NAME:
                yield Match(found.start("name"), found.end("name"), "name", Owner.OTHER, 0.9)
