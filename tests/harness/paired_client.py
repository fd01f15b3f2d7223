"""The extension's end of a pairing, in Python: what `sealed.ts` does in the browser."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from harness.daemon import EXTENSION, RunningDaemon
from harness.raw_http import Answer
from limen_daemon.pairing.agreement import Hello, Keys, agree, new_private_key, point_of, proof
from limen_daemon.pairing.encoding import decode, encode
from limen_daemon.pairing.record import Entry
from limen_daemon.pairing.service import PairingService

HELLO, FINISH = "/v1/pair/hello", "/v1/pair/finish"


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


def as_bytes(text: str) -> bytes:
    data = decode(text)
    assert data is not None
    return data


@dataclass
class PairedClient:
    daemon: RunningDaemon
    kid: str
    keys: Keys
    origin: str = EXTENSION

    def authorization(
        self, path: str, *, at_ms: int | None = None, iv: bytes | None = None
    ) -> tuple[str, str]:
        """The header, and what the body must be bound to."""
        sent = time.time_ns() // 1_000_000 if at_ms is None else at_ms
        number = encode(iv or secrets.token_bytes(12))
        bound_to = f"POST|{path}|{self.kid}|{sent}|{number}"
        mac = encode(hmac.digest(self.keys.auth, bound_to.encode(), "sha256"))
        return f"PSK1 kid={self.kid},t={sent},n={number},mac={mac}", bound_to

    def request(self, path: str, body: Any, *, at_ms: int | None = None, **changed: str | None) -> bytes:
        header, bound_to = self.authorization(path, at_ms=at_ms)
        changed = {"authorization": header, "origin": self.origin, **changed}
        return self.daemon.request(path, self.sealed(body, bound_to), **changed)

    def sealed(self, body: Any, bound_to: str) -> bytes:
        iv = as_bytes(bound_to.rpartition("|")[2])
        box = AESGCM(self.keys.c2s).encrypt(iv, json.dumps(body).encode(), bound_to.encode())
        return json.dumps({"box": encode(box)}).encode()

    async def post(self, path: str, body: Any, **changed: str | None) -> Answer:
        header, bound_to = self.authorization(path)
        changed = {"authorization": header, "origin": self.origin, **changed}
        answer = await self.daemon.send(path, self.sealed(body, bound_to), **changed)
        if answer.status != 200:
            return answer
        sealed = answer.json()
        assert set(sealed) == {"n", "box"}
        clear = AESGCM(self.keys.s2c).decrypt(
            as_bytes(sealed["n"]), as_bytes(sealed["box"]), bound_to.encode()
        )
        return Answer(answer.status, answer.headers, clear, answer.is_closed)


@dataclass
class Attempt:
    """One run of the two steps. `answer` is the last one; `client` is there when it went well."""

    answer: Answer
    client: PairedClient | None = None


async def try_pairing(daemon: RunningDaemon, code: str, *, origin: str = EXTENSION) -> Attempt:
    private, nonce = new_private_key(), secrets.token_bytes(16)
    asked = {"v": 1, "pub": encode(point_of(private)), "nonce": encode(nonce)}
    answer = await daemon.post(HELLO, asked, origin=origin, authorization=None)
    if answer.status != 200:
        return Attempt(answer)
    said = answer.json()
    hello = Hello(origin, point_of(private), nonce, as_bytes(said["pub"]), as_bytes(said["nonce"]))
    keys = agree(private, hello.daemon_point, code, hello)
    finish = {"nonce": encode(nonce), "mac": encode(proof(keys, "ext", hello))}
    answer = await daemon.post(FINISH, finish, origin=origin, authorization=None)
    if answer.status != 200:
        return Attempt(answer)
    done = answer.json()
    assert hmac.compare_digest(as_bytes(done["mac"]), proof(keys, "daemon", hello)), "the daemon has no proof"
    return Attempt(answer, PairedClient(daemon, done["kid"], keys, origin))


async def paired(daemon: RunningDaemon, service: PairingService, *, origin: str = EXTENSION) -> PairedClient:
    """A paired browser, with the user's consent."""
    window = service.open_window(Terminal())
    attempt = await try_pairing(daemon, window.code, origin=origin)
    service.shut_window(window)
    assert attempt.client is not None, attempt.answer
    return attempt.client
