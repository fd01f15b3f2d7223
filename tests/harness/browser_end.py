"""The browser's end of a pairing, in Python: what `sealed.ts` does in the extension."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from harness.raw_http import Answer
from limen_daemon.pairing.agreement import Hello, Keys, agree, new_private_key, point_of, proof
from limen_daemon.pairing.encoding import decode, encode
from limen_daemon.pairing.record import Entry

HELLO, FINISH = "/v1/pair/hello", "/v1/pair/finish"
Post = Callable[[str, Any], Awaitable[Answer]]
"""Sends JSON in clear and without credentials, with the browser's `Origin`."""


def as_bytes(text: str) -> bytes:
    data = decode(text)
    assert data is not None
    return data


@dataclass(frozen=True)
class Browser:
    """A paired browser: its keys, its origin, and how it seals."""

    kid: str
    keys: Keys
    origin: str

    def authorization(
        self, path: str, *, at_ms: int | None = None, iv: bytes | None = None
    ) -> tuple[str, str]:
        """The header, and what the body must be bound to."""
        sent = time.time_ns() // 1_000_000 if at_ms is None else at_ms
        number = encode(iv or secrets.token_bytes(12))
        bound_to = f"POST|{path}|{self.kid}|{sent}|{number}"
        mac = encode(hmac.digest(self.keys.auth, bound_to.encode("utf-8", "surrogateescape"), "sha256"))
        return f"PSK1 kid={self.kid},t={sent},n={number},mac={mac}", bound_to

    def seal(self, body: bytes, bound_to: str) -> bytes:
        iv = as_bytes(bound_to.rpartition("|")[2])
        box = AESGCM(self.keys.c2s).encrypt(iv, body, bound_to.encode())
        return json.dumps({"box": encode(box)}).encode()

    def open(self, answer: Answer, bound_to: str) -> Answer:
        """The answer in clear; a refusal is in clear already."""
        if answer.status != 200:
            return answer
        sealed = answer.json()
        assert set(sealed) == {"n", "box"}, "an answer that is not sealed"
        clear = AESGCM(self.keys.s2c).decrypt(
            as_bytes(sealed["n"]), as_bytes(sealed["box"]), bound_to.encode()
        )
        return Answer(answer.status, answer.headers, clear, answer.is_closed)


async def pair(post: Post, code: str, origin: str) -> tuple[Answer, Browser | None]:
    """The two steps. The browser is there when both went well; the answer is the last one."""
    private, nonce = new_private_key(), secrets.token_bytes(16)
    answer = await post(HELLO, {"v": 1, "pub": encode(point_of(private)), "nonce": encode(nonce)})
    if answer.status != 200:
        return answer, None
    said = answer.json()
    hello = Hello(origin, point_of(private), nonce, as_bytes(said["pub"]), as_bytes(said["nonce"]))
    keys = agree(private, hello.daemon_point, code, hello)
    answer = await post(FINISH, {"nonce": encode(nonce), "mac": encode(proof(keys, "ext", hello))})
    if answer.status != 200:
        return answer, None
    done = answer.json()
    assert hmac.compare_digest(as_bytes(done["mac"]), proof(keys, "daemon", hello)), "the daemon has no proof"
    return answer, Browser(done["kid"], keys, origin)


class Terminal:
    """A user in front of `limen pair` who answers `says` and remembers what was shown."""

    def __init__(self, *, says: bool = True) -> None:
        self._says = says
        self.asked: list[str] = []
        self.pairings: list[Entry] = []
        self.has_ended = False

    async def approve(self, origin: str) -> bool:
        self.asked.append(origin)
        return self._says

    def paired(self, entry: Entry) -> None:
        self.pairings.append(entry)

    def ended(self) -> None:
        self.has_ended = True
