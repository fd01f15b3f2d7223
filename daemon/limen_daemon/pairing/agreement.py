"""Code-authenticated key agreement: ECDH on P-256, with the code stretched into the derived keys.

Whoever listens sees two public keys; whoever sits in between needs the code while the window is open. An
attempt to search for it costs 2^50 times 200 000 hashes, in 120 s, and later is worth nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Literal

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from limen_daemon.errors import PairingError

STRETCHES = 200_000
KEY_BYTES = 32
NONCE_BYTES = 16
POINT_BYTES = 65
_VERSION = b"pair-v1|"


@dataclass(frozen=True, slots=True)
class Keys:
    """`auth` proves requests, `c2s` seals what the extension sends, `s2c` what the daemon answers."""

    confirm: bytes = field(repr=False)
    auth: bytes = field(repr=False)
    c2s: bytes = field(repr=False)
    s2c: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Hello:
    """What both ends have said. Points are uncompressed (65 bytes), nonces 16 bytes."""

    origin: str
    client_point: bytes
    client_nonce: bytes
    daemon_point: bytes
    daemon_nonce: bytes

    @property
    def transcript(self) -> bytes:
        """SHA-256 over everything above: the keys and both proofs are bound to it, and so to the origin."""
        said = self.client_point + self.daemon_point + self.client_nonce + self.daemon_nonce
        return hashlib.sha256(_VERSION + self.origin.encode() + b"|" + said).digest()


def new_private_key() -> EllipticCurvePrivateKey:
    return generate_private_key(SECP256R1())


def point_of(key: EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_point(point: bytes) -> EllipticCurvePublicKey:
    """Raises: `PairingError` for anything but an uncompressed point on the curve."""
    if len(point) != POINT_BYTES or point[0] != 4:
        raise PairingError("not a public key")
    try:
        return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        raise PairingError("not a public key on the curve") from None


def agree(private: EllipticCurvePrivateKey, other_point: bytes, code: str, hello: Hello) -> Keys:
    """The keys of this pairing. Blocking, about 0.1 s: run in a thread. Raises: `PairingError`."""
    shared = private.exchange(ECDH(), check_point(other_point))
    salt = hello.client_nonce + hello.daemon_nonce
    stretched = hashlib.pbkdf2_hmac("sha256", code.encode(), salt, STRETCHES)

    def derived(purpose: str) -> bytes:
        kdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=hello.transcript, info=purpose.encode())
        return kdf.derive(shared + stretched)

    return Keys(derived("confirm"), derived("auth"), derived("c2s"), derived("s2c"))


def proof(keys: Keys, who: Literal["ext", "daemon"], hello: Hello) -> bytes:
    """What shows that `who` knows the code."""
    return hmac.digest(keys.confirm, who.encode() + hello.transcript, "sha256")
