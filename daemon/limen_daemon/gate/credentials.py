"""How a caller proves who it is, on headers alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from limen_daemon.identity import Identity


@dataclass(frozen=True, slots=True)
class Denied:
    """`code`: "auth" (unknown, revoked or wrong), "stale" (too old or seen before), or "pairing_locked", with
    status 423 (the keys to tell by cannot be read now)."""

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

    def is_genuine(self, value: str, *, origin: str, path: str) -> bool:
        """Whether a key of ours made `value`, however old it is. Remembers nothing either."""
        ...
