"""Random envelopes: the `Authorization` of a paired browser, and the sealed body behind it."""

from __future__ import annotations

import contextlib
import json

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.errors import BoxDamaged
from limen_daemon.gate.credentials import Denied
from limen_daemon.pairing.encoding import decode, encode
from limen_daemon.pairing.record import Pairing
from limen_daemon.pairing.requests import PairingCredential, Seal

ORIGIN, PATH = "chrome-extension://" + "a" * 32, "/v1/detect"
NOW_MS = 1_790_000_000_000
PAIRING = Pairing(kid="k" * 16, origin=ORIGIN, auth=b"a" * 32, c2s=b"c" * 32, s2c=b"s" * 32)
IV, BOUND_TO = b"i" * 12, b"POST|/v1/detect"
CLEAR = b'{"text":"my 3 year old"}'


class OnePairing:
    """A store that knows one browser."""

    def find(self, kid: str) -> Pairing | None:
        return PAIRING if kid == PAIRING.kid else None

    def is_locked(self, kid: str) -> bool:
        return False

    def seen(self, kid: str, at_ms: int) -> None:
        return None


def credential() -> PairingCredential:
    return PairingCredential(OnePairing(), clock_ms=lambda: NOW_MS)  # type: ignore[arg-type]


def sealed() -> bytes:
    return json.dumps({"box": encode(AESGCM(PAIRING.c2s).encrypt(IV, CLEAR, BOUND_TO))}).encode()


GOOD = f"kid={PAIRING.kid},t={NOW_MS},n={encode(IV)},mac={'A' * 43}"
ANY_TEXT = st.text(st.characters(codec=None))


@given(
    ANY_TEXT
    | st.builds(
        lambda at, text: GOOD[:at] + text + GOOD[at + len(text) :], st.integers(0, len(GOOD)), ANY_TEXT
    ),
    ANY_TEXT,
)
def test_fuzz_credentials(value: str, path: str) -> None:
    """Whatever stands there is denied, never a fault. The look ahead and the check agree."""
    checked = credential()
    assert isinstance(checked.check(value, origin=ORIGIN, path=path), Denied)
    assert not checked.could_pass(value, origin=ORIGIN, path=path)


@given(st.binary(max_size=300) | st.text(max_size=100).map(lambda text: json.dumps({"box": text}).encode()))
def test_fuzz_boxes(body: bytes) -> None:
    """Bytes that were not sealed with the key do not open, and nothing else happens."""
    with contextlib.suppress(BoxDamaged):
        assert Seal(PAIRING, IV, BOUND_TO).open(body) is None, "it opened"


@given(st.integers(0, len(sealed()) - 1), st.integers(1, 255), st.integers(0, 3))
def test_fuzz_mutants_of_a_box(at: int, change: int, cut: int) -> None:
    """A box with a byte changed, or cut short, opens only if it still is the same box."""
    good = sealed()
    body = bytearray(good)
    body[at] ^= change
    mutant = bytes(body[: len(body) - cut])
    try:
        clear = Seal(PAIRING, IV, BOUND_TO).open(mutant)
    except BoxDamaged:
        return
    assert clear == CLEAR
    assert decode(json.loads(mutant)["box"]) == decode(json.loads(good)["box"])


@given(st.binary(max_size=500))
def test_fuzz_answers_come_back(answer: bytes) -> None:
    """What the daemon seals the browser opens, for this request and for no other."""
    said = json.loads(Seal(PAIRING, IV, BOUND_TO).close(answer))
    iv, box = decode(said["n"]), decode(said["box"])
    assert iv is not None and box is not None
    assert AESGCM(PAIRING.s2c).decrypt(iv, box, BOUND_TO) == answer
