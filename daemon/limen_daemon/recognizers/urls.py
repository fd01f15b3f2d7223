"""Secrets inside links: the password of `scheme://user:password@host`, token parameters, webhook paths."""

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.entropy import bits_per_character
from limen_daemon.recognizers.protocol import Match

_USERINFO = re.compile(
    r"(?<![0-9A-Za-z])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@\"'<>?#]{0,80}:(?P<secret>[^\s/@\"'<>]{1,200})@(?=[\w\[.-])"
)
_PARAMETER = re.compile(
    r"[?&#;](?:access_token|refresh_token|id_token|auth_token|token|api[_-]?key|apikey|key|secret|client_secret|"
    r"password|passwd|pwd|sig|signature|auth|session(?:_?id)?|sid|jwt|code|x-amz-signature|x-amz-security-token|"
    r"invite|reset_token|sharekey)=(?P<secret>[^\s&#\"'<>）)\]]{6,500})",
    re.IGNORECASE,
)
_WEBHOOK = re.compile(
    r"https://(?:hooks\.slack\.com/services/|discord(?:app)?\.com/api/webhooks/|[\w.-]{1,80}\.webhook\.office\.com/)"
    r"(?P<secret>[\w/@.-]{16,300})"
)
_MIN_BITS = 2.5


def urls(text: str) -> Iterable[Match]:
    if "://" not in text:
        return
    for found in _USERINFO.finditer(text):
        if not reserved.is_placeholder(found.group("secret")):
            yield Match(found.start("secret"), found.end("secret"), "password")
    for found in _PARAMETER.finditer(text):
        secret = found.group("secret")
        if _in_link(text, found.start()) and not reserved.is_placeholder(secret) and _is_random(secret):
            yield Match(found.start("secret"), found.end("secret"), "url_secret")
    for found in _WEBHOOK.finditer(text):
        if not reserved.is_placeholder(found.group("secret")):
            yield Match(found.start("secret"), found.end("secret"), "url_secret")


def _in_link(text: str, position: int) -> bool:
    window = text[max(0, position - 2000) : position]
    link = window[window.rfind("://") :] if "://" in window else " "
    return not re.search(r"\s", link)


def _is_random(value: str) -> bool:
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return (mixed or len(value) >= 20) and bits_per_character(value) >= _MIN_BITS
