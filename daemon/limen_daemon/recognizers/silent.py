"""Values that tell nothing about anybody unless the text ties them to someone: the model's marks on them are dropped.

UUIDs, hashes, versions, reserved addresses and phone numbers, stand-ins for keys, the date line of a quoted mail.
The words of a text cannot silence anything else: each rule looks at the value alone and at whose it is.
"""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.context import NOT_AFTER_WORD, NOT_BEFORE_WORD
from limen_daemon.recognizers.ownership import whose
from limen_daemon.recognizers.protocol import Owner

_UUID = r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
_HASH = r"(?=[0-9a-fA-F]{0,63}\d)(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40}|[0-9a-fA-F]{32})"
_STAND_IN = r"(?:YOUR|MY|INSERT|REPLACE)_[A-Z_]{2,40}|[A-Z0-9]{6,40}EXAMPLE(?:KEY)?"
_VALUE = re.compile(f"{NOT_AFTER_WORD}(?:{_UUID}|{_HASH}|{_STAND_IN}){NOT_BEFORE_WORD}")
_ADDRESS = re.compile(r"[0-9A-Za-z._%+-]{1,64}@([0-9A-Za-z-]{1,63}(?:\.[0-9A-Za-z-]{1,63}){1,6})")
_PHONE = re.compile(r"(?<![0-9A-Za-z])\+?\d[\d ().-]{6,18}\d(?![0-9A-Za-z])")
_MAIL_DATE = re.compile(
    r"(?<![A-Za-z])On\s(?:[A-Z][a-z]{2,8},?\s)?(?:\d{1,2}\.?\s[A-Z][a-z]{2,8}|[A-Z][a-z]{2,8}\s\d{1,2}),?\s\d{4},?\s(?:at\s)?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?(?=[^\n]{1,160}(?:wrote|schrieb)\s?:)"
)


def silent_spans(text: str) -> list[tuple[int, int]]:
    """Sorted `[start, end)` spans that disclose nothing. Linear in the text's length."""
    found = [match.span() for match in _MAIL_DATE.finditer(text)] if ":" in text else []
    found.extend(match.span() for match in _VALUE.finditer(text) if _nobodys(text, *match.span()))
    if "@" in text:
        found.extend(
            match.span()
            for match in _ADDRESS.finditer(text)
            if reserved.is_reserved_domain(match.group(1)) and _nobodys(text, *match.span())
        )
    for match in _PHONE.finditer(text):
        number = "+" + re.sub(r"\D", "", match.group())
        known = reserved.is_reserved_phone(number) or reserved.is_reserved_phone("+1" + number[1:])
        if known and _nobodys(text, *match.span()):
            found.append(match.span())
    return sorted(found)


def _nobodys(text: str, start: int, end: int) -> bool:
    return whose(text, start, end) in (Owner.UNKNOWN, Owner.OTHER)
