"""The refusals, in their order. Each rule reads headers only and says None or why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aiohttp import HttpVersion, web
from aiohttp.hdrs import (
    AUTHORIZATION,
    CONTENT_ENCODING,
    CONTENT_TYPE,
    EXPECT,
    HOST,
    ORIGIN,
    TRANSFER_ENCODING,
    UPGRADE,
)

from limen_daemon.gate.credentials import Credential, Denied
from limen_daemon.gate.head import RequestHead
from limen_daemon.gate.origins import OriginPolicy
from limen_daemon.gate.rates import Rates
from limen_daemon.identity import Identity
from limen_daemon.keys import IDENTITY

MAX_BODY_BYTES = 256 * 1024
MAX_PAIRING_BODY_BYTES = 8 * 1024
PAIR_PREFIX = "/v1/pair/"
JSON_TYPES = frozenset({"application/json", "application/json;charset=utf-8"})
_HTTP_1_1 = HttpVersion(1, 1)


@dataclass(frozen=True, slots=True)
class Refusal:
    """`status` and the stable `code`; the code is only shown to an origin that was accepted."""

    status: int
    code: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Policy:
    """What the rules compare with."""

    authority: str
    origins: OriginPolicy
    credentials: Mapping[str, Credential]
    pairing: PairingGate
    rates: Rates
    pairing_rates: Rates


class PairingGate(Protocol):
    """Whether a browser may come without a credential just now, to be paired."""

    @property
    def is_open(self) -> bool: ...


Rule = Callable[[web.BaseRequest, Policy], Refusal | None]
HeadRule = Callable[[RequestHead, Policy], Refusal | None]


def target(request: RequestHead, policy: Policy) -> Refusal | None:
    """An absolute target would let any host through; HTTP/1.0 need not say a host at all."""
    if not request.raw_path.startswith("/") or request.version < _HTTP_1_1:
        return Refusal(400, "target")
    return None


def host(request: RequestHead, policy: Policy) -> Refusal | None:
    """Byte for byte: a rebound name, `localhost` and 0.0.0.0 all end here."""
    return None if request.headers.getall(HOST, []) == [policy.authority] else Refusal(421, "host")


def origin(request: RequestHead, policy: Policy) -> Refusal | None:
    """Exactly one, and one that may ask. None at all is refused too: forms and rebound pages send none."""
    origins = request.headers.getall(ORIGIN, [])
    if len(origins) != 1 or not policy.origins.allows(origins[0]):
        return Refusal(403, "origin")
    return None


def method(request: RequestHead, policy: Policy) -> Refusal | None:
    return None if request.method == "POST" else Refusal(405, "method", {"Allow": "POST"})


def authorization(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    """Sets `request[IDENTITY]` when the caller is known, or when it may come to be paired."""
    if request.raw_path.startswith(PAIR_PREFIX):
        if not policy.pairing.is_open:
            return Refusal(403, "pairing_closed")
        request[IDENTITY] = Identity("unpaired", "unpaired", request.headers.get(ORIGIN, ""))
        return None
    origins = request.headers.getall(ORIGIN, [])
    credential, value = given_credential(request.headers.getall(AUTHORIZATION, []), policy)
    who: Identity | Denied = Denied()
    if credential is not None:
        who = credential.check(value, origin=origins[0] if len(origins) == 1 else "", path=request.raw_path)
    if isinstance(who, Denied):
        return Refusal(who.status, who.code)
    request[IDENTITY] = who
    return None


def given_credential(given: Sequence[str], policy: Policy) -> tuple[Credential | None, str]:
    """The way to authenticate that the one `Authorization` header names, and what follows its scheme."""
    scheme, _, value = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return policy.credentials.get(scheme), value


def expect(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    """No `100 Continue`, and no change of protocol: there is no WebSocket here."""
    if EXPECT in request.headers:
        return Refusal(417, "expect")
    return Refusal(400, "upgrade") if UPGRADE in request.headers else None


def length(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    if TRANSFER_ENCODING in request.headers or request.content_length is None:
        return Refusal(411, "length")
    return None


def content_type(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    """JSON only: a page can send the other types without asking the browser first."""
    types = request.headers.getall(CONTENT_TYPE, [])
    is_json = len(types) == 1 and types[0].replace(" ", "").lower() in JSON_TYPES
    return Refusal(415, "type") if CONTENT_ENCODING in request.headers or not is_json else None


def size(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    announced = request.content_length
    limit = MAX_PAIRING_BODY_BYTES if request.raw_path.startswith(PAIR_PREFIX) else MAX_BODY_BYTES
    return Refusal(413, "size") if announced is not None and announced > limit else None


def rate(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    who = request.get(IDENTITY)
    if who is None:
        return None
    rates = policy.pairing_rates if who.kind == "unpaired" else policy.rates
    wait_s = rates.wait_s(who.name)
    return None if wait_s is None else Refusal(429, "rate", {"Retry-After": str(wait_s)})


RULES: tuple[Rule, ...] = (
    target,
    host,
    origin,
    method,
    authorization,
    expect,
    length,
    content_type,
    size,
    rate,
)

RULES_OF_THE_HEAD: tuple[HeadRule, ...] = (target, host, origin, method)
"""Those that need no credential, in the same order: the door asks them as well."""
