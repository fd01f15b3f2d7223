"""Private key blocks (PEM, OpenSSH, PGP), whole; one that is cut off runs to the end of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers.protocol import Match

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"(?:[\s\\nr]{0,4}[0-9A-Za-z+/=:,. -]{1,200})*+")
_PLACEHOLDER_BODY = re.compile(r"^[\s.…*x\\nr]*$")
_MIN_BODY = 16


def private_keys(text: str) -> Iterable[Match]:
    position = 0
    while (begin := _BEGIN.search(text, position)) is not None:
        next_begin = _BEGIN.search(text, begin.end())
        limit = next_begin.start() if next_begin else len(text)
        end = _END.search(text, begin.end(), limit)
        stop = end.end() if end else _cut_off(text, begin.end(), limit)
        body = text[begin.end() : end.start() if end else stop]
        if len(body.strip()) >= _MIN_BODY and not _PLACEHOLDER_BODY.match(body):
            yield Match(begin.start(), stop, "private_key")
        position = stop


def _cut_off(text: str, start: int, limit: int) -> int:
    """The end of the base64 lines that follow a BEGIN without its END."""
    stop = start
    for line in re.finditer(r"\s*([0-9A-Za-z+/=]{16,})(?=\s|$)", text[start:limit]):
        if line.start() + start != stop:
            break
        stop = start + line.end()
    return stop
