"""A paired browser's requests: proven on the headers alone, sealed in the body, answered sealed."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import Field, ValidationError

from limen_daemon.errors import BoxDamaged, NotJson
from limen_daemon.gate.credentials import Denied
from limen_daemon.identity import Identity
from limen_daemon.pairing.encoding import decode, encode
from limen_daemon.pairing.record import Pairing
from limen_daemon.pairing.store import PairingStore
from limen_daemon.wire import strict_json
from limen_daemon.wire.models import WireModel

MAX_AGE_MS = 30_000
REMEMBERED_MS = 2 * MAX_AGE_MS
MAX_REMEMBERED = 8192
IV_BYTES = 12
_VALUE = re.compile(
    r"kid=(?P<kid>[A-Za-z0-9_-]{16}),t=(?P<t>[0-9]{13}),n=(?P<n>[A-Za-z0-9_-]{16}),mac=(?P<mac>[A-Za-z0-9_-]{43})"
)


class SealedBody(WireModel):
    """A request's body: the clear body under AES-256-GCM, the header's `n` as the initial value."""

    box: str = Field(max_length=256 * 1024)


class SealedAnswer(WireModel):
    """An answer's body, under its own initial value `n`."""

    n: str
    box: str


class Seal:
    """Opens one request's body and seals its answer. Both are bound to its path, time and number."""

    def __init__(self, pairing: Pairing, iv: bytes, bound_to: bytes) -> None:
        self._pairing = pairing
        self._iv = iv
        self._bound_to = bound_to

    def open(self, body: bytes) -> bytes:
        """The clear body. Raises: `BoxDamaged`, which holds nothing of it."""
        try:
            box = decode(SealedBody.model_validate(strict_json.loads(body)).box)
            if box is None:
                raise BoxDamaged("the sealed body is not base64url")
            return AESGCM(self._pairing.c2s).decrypt(self._iv, box, self._bound_to)
        except (NotJson, ValidationError, InvalidTag):
            raise BoxDamaged("the sealed body cannot be opened") from None

    def close(self, answer: bytes) -> bytes:
        """`answer`, sealed for the browser that asked."""
        iv = secrets.token_bytes(IV_BYTES)
        box = AESGCM(self._pairing.s2c).encrypt(iv, answer, self._bound_to)
        return SealedAnswer(n=encode(iv), box=encode(box)).model_dump_json().encode()


class PairingCredential:
    """`Authorization: PSK1 kid=…,t=<ms>,n=<12 bytes>,mac=HMAC(auth, "POST|path|kid|t|n")`.

    A request is good once, for 30 s either way, for the browser it was paired with and for its own path.
    `clock_ms` gives Unix milliseconds.
    """

    scheme = "PSK1"

    def __init__(
        self, store: PairingStore, *, clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    ) -> None:
        self._store = store
        self._clock_ms = clock_ms
        self._seen: OrderedDict[tuple[str, str], int] = OrderedDict()

    def check(self, value: str, *, origin: str, path: str) -> Identity | Denied:
        genuine = self._genuine(value, origin, path)
        if genuine is None:
            return Denied("pairing_locked", 423) if self._is_locked(value) else Denied()
        pairing, given, bound_to = genuine
        iv = decode(given["n"])
        if iv is None or not self._is_fresh(given["kid"], int(given["t"]), given["n"]):
            return Denied("stale")
        self._store.seen(pairing.kid, self._clock_ms())
        return Identity("pairing", pairing.kid, origin, Seal(pairing, iv, bound_to))

    def could_pass(self, value: str, *, origin: str, path: str) -> bool:
        return self._genuine(value, origin, path) is not None or self._is_locked(value)

    def is_genuine(self, value: str, *, origin: str, path: str) -> bool:
        return self._genuine(value, origin, path) is not None

    def _is_locked(self, value: str) -> bool:
        """Whether it names a pairing whose keys cannot be read now: nobody can tell if it is genuine."""
        given = _VALUE.fullmatch(value)
        return given is not None and self._store.is_locked(given["kid"])

    def _genuine(self, value: str, origin: str, path: str) -> tuple[Pairing, re.Match[str], bytes] | None:
        """The pairing whose key made `value` for this origin and path, however old it is."""
        given = _VALUE.fullmatch(value)
        pairing = self._store.find(given["kid"]) if given else None
        if given is None or pairing is None:
            return None
        bound_to = f"POST|{path}|{given['kid']}|{given['t']}|{given['n']}".encode("utf-8", "surrogateescape")
        mac = decode(given["mac"])
        expected = hmac.digest(pairing.auth, bound_to, "sha256")
        if mac is None or not hmac.compare_digest(mac, expected) or origin != pairing.origin:
            return None
        return pairing, given, bound_to

    def _is_fresh(self, kid: str, sent_ms: int, number: str) -> bool:
        now_ms = self._clock_ms()
        if abs(now_ms - sent_ms) > MAX_AGE_MS:
            return False
        while self._seen and next(iter(self._seen.values())) < now_ms - REMEMBERED_MS:
            self._seen.popitem(last=False)
        if (kid, number) in self._seen:
            return False
        if (
            len(self._seen) >= MAX_REMEMBERED
        ):  # cannot happen within the rate; if it does, refuse, never forget
            return False
        self._seen[(kid, number)] = now_ms
        return True
