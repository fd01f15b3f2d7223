"""Public IP addresses. Private, documentation and well-known resolver addresses and versions stay silent."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from limen_daemon.recognizers import context
from limen_daemon.recognizers.protocol import Match

_V4 = re.compile(r"(?<![0-9A-Za-z.:_-])\d{1,3}(?:\.\d{1,3}){3}(?![0-9A-Za-z_-])(?!\.\d)")
_V6 = re.compile(r"(?<![0-9A-Za-z:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![0-9A-Za-z:])")
_VERSION = context.words(
    "v", "ver", "version", "versions", "release", "build", "firmware", "driver", "版本", "section", "§"
)
_RESOLVERS = frozenset(
    "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 208.67.220.220 114.114.114.114 223.5.5.5 1.2.3.4"
    " 2001:4860:4860::8888 2001:4860:4860::8844 2606:4700:4700::1111".split()
)


def ips(text: str) -> Iterable[Match]:
    for found in _V4.finditer(text):
        if not context.just_before(text, found.start(), _VERSION, before=20) and _is_public(found.group()):
            yield Match(found.start(), found.end(), "ip")
    if "::" in text or text.count(":") >= 5:
        for found in _V6.finditer(text):
            if len(found.group()) >= 8 and _is_public(found.group()):
                yield Match(found.start(), found.end(), "ip")


def _is_public(raw: str) -> bool:
    try:
        address = ipaddress.ip_address(raw)
    except ValueError:
        return False
    return address.is_global and not address.is_multicast and raw.lower() not in _RESOLVERS
