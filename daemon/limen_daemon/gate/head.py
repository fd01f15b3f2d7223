"""A request's head as the rules see it, read from bytes before aiohttp has seen the connection.

This is no second HTTP parser to disagree with the first: a head that is odd in any way is not read here, and
what is read here can only be refused. Whatever is let in is parsed again, by aiohttp.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from aiohttp import HttpVersion
from aiohttp.hdrs import AUTHORIZATION, HOST, ORIGIN
from multidict import CIMultiDict, MultiMapping

MAX_HEAD_BYTES = 4096
_MAX_LINE = 1024
_HEAD = re.compile(
    rb"([A-Z]{3,10}) (/[!-~]{0,1000}) HTTP/1\.1\r\n"
    rb"((?:[A-Za-z][A-Za-z0-9-]{0,63}:[\t\x20-\x7e]{0,%d}\r\n){1,40})\r\n" % _MAX_LINE
)
_FIELDS_OF_THE_RULES = {b"host": HOST, b"origin": ORIGIN, b"authorization": AUTHORIZATION}
_VERSION = HttpVersion(1, 1)


class RequestHead(Protocol):
    """What the rules before the credential read: of a whole `web.BaseRequest`, or of a `PlainHead`."""

    @property
    def method(self) -> str: ...
    @property
    def raw_path(self) -> str: ...
    @property
    def version(self) -> HttpVersion: ...
    @property
    def headers(self) -> MultiMapping[str]: ...


class PlainHead(NamedTuple):
    """An HTTP/1.1 head of ASCII fields and nothing unusual. `raw_path` begins with a slash. `headers` holds
    those that the rules before the credential read, and the credential."""

    method: str
    raw_path: str
    headers: CIMultiDict[str]
    version: HttpVersion = _VERSION


def read_head(data: bytes) -> PlainHead | None:
    """The head that `data` begins with; None when it is not whole, or not plain."""
    found = _HEAD.match(data)
    if found is None:
        return None
    headers: CIMultiDict[str] = CIMultiDict()
    for line in found[3].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if (wanted := _FIELDS_OF_THE_RULES.get(name.lower())) is not None:
            headers.add(wanted, value.decode("ascii").strip(" \t"))
    if len(headers.getall(HOST, ())) != 1:  # malformed, as aiohttp sees it
        return None
    return PlainHead(found[1].decode("ascii"), found[2].decode("ascii"), headers)
