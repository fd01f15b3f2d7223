"""Values that exist for documentation or play a role: they belong to nobody and stay silent."""

# ruff: noqa: E501  # word lists: one entry a line reads best

from __future__ import annotations

import re

_RESERVED_DOMAINS = ("example.com", "example.net", "example.org", "example.edu")
_RESERVED_TLDS = frozenset({"test", "example", "invalid", "localhost", "local"})  # RFC 2606, RFC 6762
_FILE_SUFFIXES = frozenset(
    "bmp c cfg conf cpp css csv doc docx gif go gz h htm html ico ini jar java jpeg jpg js json jsx log md mjs"
    " mp3 mp4 pdf php png ppt py rb rs sh sql svg tar toml ts tsx txt wasm webp xls xlsx xml yaml yml zip".split()
)
_NO_ONE = frozenset(
    {"noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "mailer-daemon", "postmaster", "git"}
)
_ROLES = frozenset(
    "abuse accounts admin billing career careers contact enquiries feedback hello help helpdesk hi hr info"
    " inquiries jobs legal mail marketing media office orders press privacy sales security service services"
    " shop support team webmaster kontakt buchhaltung vertrieb kundenservice".split()
)

# Numbers given to film and documentation: North America 555-01xx, Ofcom's drama ranges, BNetzA's media numbers.
_RESERVED_PHONES = re.compile(
    r"\+1\d{3}55501\d\d|\+447700900\d{3}|\+442079460\d{3}|\+441632960\d{3}|\+44(?:113|114|115|116|117|118|121|131"
    r"|141|151|161)4960\d{3}|\+493023125\d{3}|\+492214710\d{3}|\+491715\d{2}00\d{2,3}"
)

_TEST_CARDS = frozenset(
    "4111111111111111 4242424242424242 4000056655665556 4012888888881881 4222222222222 5555555555554444"
    " 5105105105105100 2223003122003222 5200828282828210 378282246310005 371449635398431 6011111111111117"
    " 6011000990139424 3530111333300000 3566002020360505 30569309025904 38520000023237 5425233430109903"
    " 4000000000000002 4263982640269299 374245455400126 6250941006528599 6200000000000005".split()
)
_EXAMPLE_IDS = frozenset(
    {
        "078051120",
        "219099999",
        "987654321",
        "111111111",
        "123121234",
        "DE89370400440532013000",
        "GB82WEST12345698765432",
        "GB29NWBK60161331926819",
        "FR1420041010050500013M02606",
        "02476291358",
        "36574261809",
        "11010519491231002X",
        "110101199003070000",
    }
)


def is_reserved_domain(domain: str) -> bool:
    """Whether a host name is reserved for examples, or is a file name that only looks like one."""
    domain = domain.lower().rstrip(".")
    tld = domain.rsplit(".", 1)[-1]
    if tld in _RESERVED_TLDS or tld in _FILE_SUFFIXES:
        return True
    return any(domain == name or domain.endswith("." + name) for name in _RESERVED_DOMAINS)


def is_nobody(local_part: str) -> bool:
    """Whether no person reads this mailbox (`noreply@`, `git@`)."""
    return local_part.lower() in _NO_ONE


def is_role(local_part: str) -> bool:
    """Whether a mailbox stands for an office (`support@`), which is silent unless the user calls it theirs."""
    return local_part.lower() in _ROLES


def is_reserved_phone(e164: str) -> bool:
    return _RESERVED_PHONES.fullmatch(e164) is not None


def is_test_card(digits: str) -> bool:
    return digits in _TEST_CARDS or len(set(digits)) <= 2


def is_example_id(compact: str) -> bool:
    """Whether an ID number (no spaces or dashes) is the one printed in manuals, or one repeated digit."""
    return compact.upper() in _EXAMPLE_IDS or "123456" in compact or len(set(compact)) <= 2


_PLACEHOLDER_WORDS = re.compile(
    r"example|sample|placeholder|changeme|change[_-]me|dummy|redacted|insert|replace|fixme|foobar|"
    r"your[_-]|[_-]here|my[_-]?(?:api|secret|token|key|password)|xxxx|\*{3}|\.{3}|…|1234567890abcdef|"
    r"abcdefghijkl|012345678|deadbeef",
    re.IGNORECASE,
)
_DEFAULT_VALUES = frozenset(
    "password passwort passwd pwd pass secret token key admin root user username test testing string str none null"
    " nil true false undefined default optional required foo bar baz qwerty postgres mysql redis guest value empty"
    " text number object hidden input int bool boolean any bytes masked encrypted hashed unknown invalid correct"
    " wrong incorrect unset env changeit".split()
)
_REFERENCE = re.compile(
    r"^(?:\$|%|<|\{|\[|@|process\.env|os\.|env[.(\[]|ENV\[|getenv|secrets\.|config[.\[]|settings\.|self\.|this\."
    r"|args\.|req\.|request\.|params\.|var\.)"
)


def is_placeholder(value: str) -> bool:
    """Whether a secret's value is only a stand-in (`YOUR_API_KEY`, `${TOKEN}`, `os.environ[...]`, `xxxx`)."""
    bare = value.strip("'\"`")
    if not bare or _REFERENCE.match(bare) or _PLACEHOLDER_WORDS.search(bare):
        return True
    if bare.lower() in _DEFAULT_VALUES:
        return True
    return len(set(bare)) <= 2
