"""How a caller proves who it is, on headers alone."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from limen_daemon.identity import Identity


@dataclass(frozen=True, slots=True)
class Denied:
    """`code`: "auth" (unknown, revoked or wrong) or "stale" (too old or seen before)."""

    code: str = "auth"
    status: int = 401


class Credential(Protocol):
    """One way to authenticate. `scheme` is the first word of the `Authorization` header."""

    scheme: str

    def check(self, value: str, *, origin: str, path: str) -> Identity | Denied:
        """`value` is the header after the scheme; it may hold any bytes, as surrogates."""
        ...

    def could_pass(self, value: str, *, origin: str, path: str) -> bool:
        """False when `check` would say "auth". Remembers nothing: the door asks before the gate does."""
        ...


class BearerToken:
    """The pasted token. Compared by digest, so that time tells nothing about it."""

    scheme = "Bearer"

    def __init__(self, token: str) -> None:
        self._digest = _digest(token)

    def check(self, value: str, *, origin: str, path: str) -> Identity | Denied:
        if hmac.compare_digest(_digest(value), self._digest):
            return Identity(kind="token", name="token", origin=origin)
        return Denied()

    def could_pass(self, value: str, *, origin: str, path: str) -> bool:
        return hmac.compare_digest(_digest(value), self._digest)


def _digest(value: str) -> bytes:
    return sha256(value.encode("utf-8", "surrogateescape")).digest()
