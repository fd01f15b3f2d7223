"""Phone numbers, checked with libphonenumber's metadata (`phonenumbers`)."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

import phonenumbers

from limen_daemon.recognizers import context, reserved
from limen_daemon.recognizers.protocol import Match

_CANDIDATE = re.compile(
    r"(?<![0-9A-Za-z@#$/=_.:+-])(?:\+|(?=[(\d]))\(?\d(?:[ ()./\u00a0\u2011-]{0,3}\d){6,16}(?![0-9A-Za-z_@%/])(?![.,:-]\d)"
)
_PHONE_WORDS = context.words(
    "phone", "phones", "tel", "telephone", "telefon", "telefonnummer", "mobile", "mob", "cell", "cellphone",
    "handy", "handynummer", "call", "text", "sms", "whatsapp", "signal", "dial", "fax", "ring", "reach me",
    "contact", "number is", "portable", "téléphone", "móvil", "teléfono", "rufnummer",
    "电话", "手机", "号码", "联系方式", "微信", "拨打", "致电",
)  # fmt: skip
_US_SHAPE = re.compile(r"\(\d{3}\) ?\d{3}[ -]\d{4}|\d{3}([-.])\d{3}\1\d{4}|1-\d{3}-\d{3}-\d{4}")
_CN_MOBILE = re.compile(r"1[3-9]\d[ -]?\d{4}[ -]?\d{4}")
_DATE = re.compile(r"(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_REGIONS = (
    "US",
    "GB",
    "DE",
    "CN",
    "FR",
    "IN",
    "ES",
    "IT",
    "NL",
    "AU",
    "BR",
    "PL",
    "CH",
    "AT",
    "JP",
    "HK",
    "TW",
)


def phones(text: str) -> Iterable[Match]:
    """International numbers anywhere; national ones where their shape or a word beside them says "phone"."""
    has_han: bool | None = None
    for found in _CANDIDATE.finditer(text):
        start, end = found.span()
        raw = found.group()
        if _DATE.match(raw) or not _balanced(raw):
            continue
        named = context.near(text, start, end, _PHONE_WORDS)
        if not named and context.just_before(text, start, context.SERIALS, before=24):
            continue
        if raw.startswith("+") or raw.startswith("00"):
            number = _valid("+" + raw.lstrip("+0") if raw.startswith("00") else raw, None)
        elif _CN_MOBILE.fullmatch(raw):
            has_han = bool(_HAN.search(text)) if has_han is None else has_han
            number = _valid(raw, "CN") if named or has_han else None
        elif _US_SHAPE.fullmatch(raw) and not named:
            number = _valid(raw, "US")
        else:
            number = _first_valid(raw) if named else None
        if number is not None and not reserved.is_reserved_phone(number):
            yield Match(start, end, "phone")


def _balanced(raw: str) -> bool:
    return raw.count("(") == raw.count(")")


def _first_valid(raw: str) -> str | None:
    """The number in E.164 for the first region in which it is one; reserved wherever it is reserved."""
    valid = [number for region in _REGIONS if (number := _valid(raw, region)) is not None]
    for number in valid:
        if reserved.is_reserved_phone(number):
            return number
    return valid[0] if valid else None


def _valid(raw: str, region: str | None) -> str | None:
    try:
        number = phonenumbers.parse(raw, region)
    except phonenumbers.NumberParseException:
        return None
    e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    if reserved.is_reserved_phone(e164):
        return e164
    return e164 if phonenumbers.is_valid_number(number) else None
