"""One pairing: what is known of the browser, and the keys it shares with the daemon."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, field_validator

from limen_daemon.pairing.agreement import KEY_BYTES

SECRET_BYTES = 3 * KEY_BYTES
Place = Literal["keyring", "profile", "file"]
"""Where the keys of a pairing are kept."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A paired browser with its keys. `kid` names the keys and may be logged."""

    kid: str
    origin: str
    auth: bytes = field(repr=False)
    c2s: bytes = field(repr=False)
    s2c: bytes = field(repr=False)

    @property
    def secret(self) -> bytes:
        """The keys as they are kept: 96 bytes."""
        return self.auth + self.c2s + self.s2c


class Entry(BaseModel):
    """A paired browser as the file lists it. Times are Unix milliseconds.

    `secret` is there only while the keys have no better place than this file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    kid: str = Field(pattern=r"^[A-Za-z0-9_-]{16}$")
    origin: str
    label: str
    created_ms: int
    last_seen_ms: int | None = None
    kept_in: Place = "file"
    secret: Base64Bytes | None = Field(default=None, repr=False)

    @field_validator("secret")
    @classmethod
    def _whole(cls, secret: bytes | None) -> bytes | None:
        if secret is not None and len(secret) != SECRET_BYTES:
            raise ValueError("not the keys of a pairing")
        return secret

    def pairing(self, secret: bytes) -> Pairing:
        """With `secret`, 96 bytes, as kept wherever it was."""
        auth, c2s, s2c = (secret[at : at + KEY_BYTES] for at in range(0, SECRET_BYTES, KEY_BYTES))
        return Pairing(self.kid, self.origin, auth, c2s, s2c)


class Book(BaseModel):
    """The file `pairings.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    format: Literal[2] = 2
    pairings: list[Entry] = []


class OldPairing(BaseModel):
    """A pairing as the first versions wrote it: a bare list of these, keys and all."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    kid: str
    origin: str
    label: str
    created_ms: int
    auth: Base64Bytes = Field(repr=False)
    c2s: Base64Bytes = Field(repr=False)
    s2c: Base64Bytes = Field(repr=False)
