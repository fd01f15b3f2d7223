"""E-mail addresses, also those with letters such as ß or é, and those glued to Chinese text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.ownership import whose
from limen_daemon.recognizers.protocol import Match, Owner

_LETTER = r"A-Za-zÀ-ÖØ-öø-ɏ"  # Latin with diacritics: part of an address; CJK is its neighbour
_LOCAL = re.compile(rf"[{_LETTER}0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}$")
_LOCAL_EDGE = ".'`*_!#$%&/=?^{|}~-"
_DOMAIN = re.compile(
    rf"(?:[{_LETTER}0-9](?:[{_LETTER}0-9-]{{0,61}}[{_LETTER}0-9])?\.){{1,8}}[A-Za-z]{{2,24}}"
)
_USERINFO = re.compile(r"://[^\s/]{0,200}$")
_MAX_LOCAL = 64


def emails(text: str) -> Iterable[Match]:
    """Addresses except reserved ones, mailboxes nobody reads, and offices the user doesn't call their own."""
    at = text.find("@")
    while at >= 0:
        match = _around(text, at)
        if match is not None:
            yield match
        at = text.find("@", at + 1)


def _around(text: str, at: int) -> Match | None:
    domain = _DOMAIN.match(text, at + 1)
    local = _LOCAL.search(text[max(0, at - _MAX_LOCAL) : at])
    if domain is None or local is None:
        return None
    name = local.group().lstrip(_LOCAL_EDGE)
    if not name or name.endswith(".") or ".." in name:
        return None
    start, end = at - len(name), domain.end()
    if end < len(text) and re.match(r"[0-9@]|-[A-Za-z0-9]", text[end : end + 2]):
        return None
    if reserved.is_reserved_domain(domain.group()) or reserved.is_nobody(name):
        return None
    if _USERINFO.search(text[max(0, start - 210) : start]):
        return None  # "scheme://user:password@host" is read by `urls`
    if reserved.is_role(name) and whose(text, start, end) is not Owner.USER:
        return None
    return Match(start, end, "email")
