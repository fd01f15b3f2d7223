"""Payment card numbers: issuer prefix, length and Luhn digit, and no word that makes it a running number."""

from __future__ import annotations

import re
from collections.abc import Iterable

from stdnum import luhn

from limen_daemon.recognizers import context, reserved
from limen_daemon.recognizers.protocol import Match

_CANDIDATE = re.compile(r"(?<![0-9A-Za-z.#_+-])\d(?:[ -]?\d){12,18}(?![0-9A-Za-z_])(?![.-]\d)")
_CARD_WORDS = context.words(
    "card", "cards", "visa", "mastercard", "amex", "american express", "credit", "debit", "cvv", "cvc",
    "kreditkarte", "karte", "kartennummer", "carte", "tarjeta", "卡号", "信用卡", "银行卡", "储蓄卡",
)  # fmt: skip
_ISSUERS = (
    (re.compile(r"4"), frozenset({13, 16, 19})),  # Visa
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), frozenset({16})),  # Mastercard
    (re.compile(r"3[47]"), frozenset({15})),  # American Express
    (re.compile(r"6011|64[4-9]|65"), frozenset({16, 19})),  # Discover
    (re.compile(r"35(?:2[89]|[3-8])"), frozenset({16, 19})),  # JCB
    (re.compile(r"3(?:0[0-5]|[68])"), frozenset({14})),  # Diners Club
    (re.compile(r"62|81"), frozenset({16, 17, 18, 19})),  # UnionPay
)
_GROUPED = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5}")


def cards(text: str) -> Iterable[Match]:
    for found in _CANDIDATE.finditer(text):
        start, end = found.span()
        digits = re.sub(r"[ -]", "", found.group())
        if not _issued(digits) or not luhn.is_valid(digits) or reserved.is_test_card(digits):
            continue
        if context.just_before(text, start, context.SERIALS, before=16):
            continue
        named = context.near(text, start, end, _CARD_WORDS, before=60)
        if not named:
            if context.just_before(text, start, context.SERIALS):
                continue
            if len(digits) not in (15, 16) or (
                found.group() != digits and not _GROUPED.fullmatch(found.group())
            ):
                continue
        yield Match(start, end, "card")


def _issued(digits: str) -> bool:
    return any(prefix.match(digits) and len(digits) in lengths for prefix, lengths in _ISSUERS)
