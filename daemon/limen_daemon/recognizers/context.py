"""Words near a value. Look-arounds are ASCII, so that Chinese, German or emoji neighbours don't hide one."""

from __future__ import annotations

import re

NOT_AFTER_WORD = r"(?<![0-9A-Za-z])"
NOT_BEFORE_WORD = r"(?![0-9A-Za-z])"

_NEAR_BEFORE = 40
_NEAR_AFTER = 20


def words(*alternatives: str) -> re.Pattern[str]:
    """A case-insensitive pattern for whole words; alternatives with CJK need no boundary."""
    latin = [word for word in alternatives if word.isascii() or not _is_cjk(word)]
    cjk = [word for word in alternatives if word not in latin]
    parts = []
    if latin:
        parts.append(NOT_AFTER_WORD + "(?:" + "|".join(latin) + ")" + NOT_BEFORE_WORD)
    parts.extend(cjk)
    return re.compile("|".join(parts), re.IGNORECASE)


def _is_cjk(word: str) -> bool:
    return any("\u3040" <= character <= "\u9fff" for character in word)


def near(text: str, start: int, end: int, pattern: re.Pattern[str], *, before: int = _NEAR_BEFORE) -> bool:
    """Whether `pattern` occurs within `before` characters ahead of the span or just behind it, same line."""
    head = text[max(0, start - before) : start]
    head = head[head.rfind("\n") + 1 :]
    tail = text[end : end + _NEAR_AFTER].split("\n", 1)[0]
    return pattern.search(head) is not None or pattern.search(tail) is not None


def just_before(text: str, start: int, pattern: re.Pattern[str], *, before: int = _NEAR_BEFORE) -> bool:
    """Whether `pattern` occurs within `before` characters ahead of `start`, on the same line."""
    head = text[max(0, start - before) : start]
    return pattern.search(head[head.rfind("\n") + 1 :]) is not None


SERIALS = words(
    "order",
    "order no",
    "orders",
    "booking",
    "reservation",
    "confirmation",
    "tracking",
    "ticket",
    "invoice",
    "receipt",
    "serial",
    "sku",
    "isbn",
    "issn",
    "doi",
    "ean",
    "upc",
    "part",
    "model",
    "version",
    "build",
    "commit",
    "case",
    "member",
    "ref",
    "reference",
    "item",
    "product",
    "patent",
    "bestellnummer",
    "bestellung",
    "rechnung",
    "rechnungsnummer",
    "kundennummer",
    "auftrag",
    "auftragsnummer",
    "vorgang",
    "sendungsnummer",
    "订单",
    "单号",
    "快递",
    "编号",
    "序列号",
    "版本",
)
"""Names of running numbers: a digit string after one of them is no phone, card or ID number."""
