"""`POST /v1/pair/hello` and `/finish` on the wire. Bytes are base64url without padding."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from limen_daemon.wire.models import WireModel

Point = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,120}$")]
Nonce = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}$")]
Mac = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$")]


class HelloRequest(WireModel):
    """`pub`: an ephemeral P-256 key, uncompressed, 65 bytes. `nonce`: 16 bytes."""

    v: Literal[1]
    pub: Point
    nonce: Nonce


class HelloAnswer(WireModel):
    pub: Point
    nonce: Nonce


class FinishRequest(WireModel):
    """`nonce`: the one of the hello. `mac`: HMAC(confirm, "ext" and the transcript)."""

    nonce: Nonce
    mac: Mac


class FinishAnswer(WireModel):
    """`mac`: HMAC(confirm, "daemon" and the transcript); the extension drops everything if it is wrong."""

    kid: str
    mac: Mac
