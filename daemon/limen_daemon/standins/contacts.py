"""Addresses and numbers that reach nobody: reserved ones where there are any."""

from __future__ import annotations

import ipaddress
import re
import secrets
import string
from collections.abc import Callable

import phonenumbers

from limen_daemon.standins.wanted import StandIn, Wanted, pick, pool

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
_HOST = re.compile(r"(?:(?P<scheme>[a-z]{2,6})://)?(?:www\.)?[\w-]+(?:\.[\w-]+)+(?P<path>[/:].*)?", re.I)
_TEST_CARDS = (
    "4111111111111111",
    "4242424242424242",
    "5555555555554444",
    "5105105105105100",
    "4012888888881881",
)
"""Issued by the card schemes for tests; no account has them."""
_TRIES = 30


def contact(wanted: Wanted) -> list[StandIn]:
    if _EMAIL.fullmatch(wanted.phrase):
        first, last = pick(wanted, pool("given_f") + pool("given_m")), pick(wanted, pool("surname"))
        return [StandIn(f"{first}.{last}@example.com".lower(), wanted.phrase)] if first and last else []
    if re.fullmatch(r"\+?[\d\s()./-]{6,}", wanted.phrase):
        return _made(wanted, lambda: _phone(wanted.phrase))
    if re.fullmatch(r"@?[\w.]{3,40}", wanted.phrase) and wanted.phrase.isascii():
        at = "@" if wanted.phrase.startswith("@") else ""
        return _made(
            wanted, lambda: f"{at}sample_{''.join(secrets.choice(string.ascii_lowercase) for _ in range(4))}"
        )
    return []


def identifier(wanted: Wanted) -> list[StandIn]:
    phrase = wanted.phrase
    digits = re.sub(r"\D", "", phrase)
    is_person_number = re.fullmatch(r"\d{6}(?:19|20)\d{9}[\dX]", phrase)
    if (
        not is_person_number
        and re.fullmatch(r"[\d -]{13,23}", phrase)
        and 13 <= len(digits) <= 19
        and digits[0] in "23456"
        and _luhn(digits)
    ):
        cards = [_like(card, phrase) for card in _TEST_CARDS]
        card = pick(wanted, cards)
        return [StandIn(card, phrase)] if card else []
    if re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9 ]{10,35}", phrase):
        return _made(wanted, lambda: _iban(phrase))
    try:
        address = ipaddress.ip_address(phrase)
    except ValueError:
        pass
    else:
        made = (
            "192.0.2.{}" if address.version == 4 else "2001:db8::{}"
        )  # set aside for documentation (RFC 5737, 3849)
        return _made(wanted, lambda: made.format(secrets.randbelow(250) + 2))
    host = _HOST.fullmatch(phrase)
    if host and re.search(r"[A-Za-z]", phrase):
        scheme = f"{host['scheme']}://" if host["scheme"] else ""
        return _made(wanted, lambda: f"{scheme}host{secrets.randbelow(90) + 10}.example")
    if (
        re.fullmatch(r"[\w./#-]{4,40}(?: [\w./#-]{2,10}){0,6}", phrase)
        and re.search(r"\d", phrase)
        and phrase.isascii()
    ):
        return _made(wanted, lambda: _scrambled(phrase))
    return []


def _made(wanted: Wanted, make: Callable[[], str]) -> list[StandIn]:
    for _ in range(_TRIES):
        said = make()
        if wanted.is_free(said):
            return [StandIn(said, wanted.phrase)]
    return []


def _phone(phrase: str) -> str:
    """A number set aside for films and examples: in the country's own range where it has one."""
    try:
        country = phonenumbers.parse(phrase, None).country_code if phrase.strip().startswith("+") else 0
    except phonenumbers.NumberParseException:
        country = 0
    two, three = f"{secrets.randbelow(100):02d}", f"{secrets.randbelow(1000):03d}"
    if country == 44 or (country == 0 and re.match(r"0[127]\d", re.sub(r"\D", "", phrase))):
        return f"+44 7700 900{three}" if country else f"07700 900{three}"
    if country == 49:
        return f"+49 171 39200{two}"
    if country == 33:
        return f"+33 6 39 98 {two} {secrets.randbelow(100):02d}"
    if country == 86 or (country == 0 and re.fullmatch(r"1[3-9]\d{9}", re.sub(r"\D", "", phrase))):
        return ("+86 " if country else "") + f"12000000{three}"  # no network has numbers that begin with 12
    return ("+1 " if country else "") + f"202-555-01{two}"


def _like(digits: str, shape: str) -> str:
    """`digits` with the blanks and hyphens of `shape`, as far as it goes."""
    sign = " " if " " in shape else "-" if "-" in shape else ""
    return sign.join(re.findall(r".{1,4}", digits)) if sign else digits


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _iban(phrase: str) -> str:
    """Right check digits, and a bank that does not exist: its code is all zeros."""
    plain = phrase.replace(" ", "")
    country, length = plain[:2], len(plain)
    account = "0" * (length - 4 - 3) + f"{secrets.randbelow(1000):03d}"
    number = int("".join(str(int(sign, 36)) for sign in account + country + "00"))
    made = f"{country}{98 - number % 97:02d}{account}"
    return " ".join(re.findall(r".{1,4}", made)) if " " in phrase else made


def _scrambled(phrase: str) -> str:
    """The same shape in other letters and digits; long numbers begin with zeros, which no issued one does."""
    long = len(re.findall(r"\d", phrase)) >= 9
    seen = 0
    made = []
    for sign in phrase:
        if sign.isdigit():
            seen += 1
            made.append("0" if long and seen <= 3 else secrets.choice(string.digits))
        elif sign.isalpha():
            made.append(secrets.choice(string.ascii_uppercase if sign.isupper() else string.ascii_lowercase))
        else:
            made.append(sign)
    return "".join(made)
