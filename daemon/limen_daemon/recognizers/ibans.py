"""International bank account numbers with a valid check (ISO 13616, mod 97), grouped or not."""

# ruff: noqa: E501  # a table: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from stdnum import iban

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.context import NOT_AFTER_WORD
from limen_daemon.recognizers.protocol import Match

_CANDIDATE = re.compile(NOT_AFTER_WORD + r"[A-Za-z]{2}\d{2}(?:[ \u00a0-]?[0-9A-Za-z]){11,30}(?![0-9A-Za-z])")
# Length of each country's number (SWIFT's IBAN registry).
_LENGTHS = {
    pair[:2]: int(pair[2:])
    for pair in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18"
        " FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20"
        " LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18"
        " SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
    ).split()
}
_SPACING = re.compile(r"[ \u00a0-]")


def ibans(text: str) -> Iterable[Match]:
    """Words may follow the number without punctuation, so its end is the country's length, not the pattern's."""
    position = 0
    while (found := _CANDIDATE.search(text, position)) is not None:
        end = _end(found.group())
        if end is None:
            position = found.start() + 2
            continue
        position = found.start() + end
        if not reserved.is_example_id(_SPACING.sub("", found.group()[:end])):
            yield Match(found.start(), position, "iban")


def _end(raw: str) -> int | None:
    wanted = _LENGTHS.get(raw[:2].upper())
    if wanted is None:
        return None
    counted = 0
    for index, character in enumerate(raw):
        counted += character.isalnum()
        if counted == wanted:
            end = index + 1
            if raw[end : end + 1].isalnum() or not iban.is_valid(
                _SPACING.sub("", raw[:end]), check_country=False
            ):
                return None
            return end
    return None
