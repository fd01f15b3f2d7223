"""What a refused caller is told, as headers and body; the same from the door and from the gate."""

from __future__ import annotations

import json
from functools import lru_cache
from http import HTTPStatus

from limen_daemon.gate.protocol import FIXED_HEADERS
from limen_daemon.gate.rules import Refusal

JSON_TYPE = "application/json"


def cors_headers(origin: str) -> dict[str, str]:
    """For an accepted `origin`: its browser lets the extension read the answer."""
    return {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}


def error_body(code: str) -> bytes:
    return json.dumps({"error": code}).encode()


def refusal_bytes(refusal: Refusal, accepted_origin: str | None) -> bytes:
    """The whole answer on the wire. Without an accepted origin nobody learns why: the body is empty."""
    if accepted_origin is None:
        return _answer(refusal.status, None, tuple(refusal.headers.items()), ())
    cors = tuple(cors_headers(accepted_origin).items())
    return _answer(refusal.status, refusal.code, tuple(refusal.headers.items()), cors)


Fields = tuple[tuple[str, str], ...]


@lru_cache(maxsize=32)
def _answer(status: int, code: str | None, own: Fields, cors: Fields) -> bytes:
    """Made once: a flood is refused in the same words again and again."""
    body = b"" if code is None else error_body(code)
    fields = [*own, *FIXED_HEADERS.items(), *cors]
    if body:
        fields.append(("Content-Type", JSON_TYPE))
    fields += [("Content-Length", str(len(body))), ("Connection", "close")]
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        *(f"{name}: {value}" for name, value in fields),
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body
