"""Sealing bytes under a passphrase: AES-256-GCM under argon2id (RFC 9106), header authenticated.

The same format wraps the profile's key and seals an export. It is JSON, so that a reader can tell what
it is. The cost parameters are in the header; they are bounded when read, so that an altered file can
neither weaken the derivation nor make it eat the computer's memory.
"""

from __future__ import annotations

import base64
import json
import secrets
from typing import Annotated, Literal

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, ValidationError

from limen_profiles.errors import SealDamaged, WeakPassphrase, WrongPassphrase

MIN_PASSPHRASE_CHARACTERS = 12
KEY_BYTES = 32
NONCE_BYTES = 12
SALT_BYTES = 16

Purpose = Literal["profile-key", "export"]


class KdfCost(BaseModel):
    """argon2id cost. Default: 3 passes, 256 MiB, 4 lanes (0.37 s on a 2-core machine)."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    passes: Annotated[int, Field(ge=3, le=12)] = 3
    memory_kib: Annotated[int, Field(ge=64 * 1024, le=1024 * 1024)] = 256 * 1024
    lanes: Annotated[int, Field(ge=1, le=16)] = 4


class SealHeader(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    format: Literal["limen-sealed"] = "limen-sealed"
    version: Literal[1] = 1
    purpose: Purpose
    kdf: Literal["argon2id"] = "argon2id"
    cost: KdfCost
    salt: Base64Bytes
    nonce: Base64Bytes

    def associated_data(self) -> bytes:
        return json.dumps(self.model_dump(mode="json"), sort_keys=True).encode()


class Sealed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    header: SealHeader
    box: Base64Bytes


class WrappingKey:
    """A key derived from a passphrase, kept with its salt so that a new key can be sealed without asking.

    Deriving blocks for about 0.4 s and 256 MiB: run it in an executor.
    """

    def __init__(self, key: bytes, salt: bytes, cost: KdfCost) -> None:
        self._key = key
        self._salt = salt
        self._cost = cost

    @classmethod
    def derive(
        cls, passphrase: str, *, salt: bytes | None = None, cost: KdfCost | None = None
    ) -> WrappingKey:
        """By default with a fresh salt and the default cost."""
        salt = salt or secrets.token_bytes(SALT_BYTES)
        cost = cost or KdfCost()
        key = hash_secret_raw(
            passphrase.encode(), salt, cost.passes, cost.memory_kib, cost.lanes, KEY_BYTES, Type.ID
        )
        return cls(key, salt, cost)

    def seal(self, content: bytes, purpose: Purpose) -> bytes:
        """Seal `content`; every call uses a fresh nonce."""
        header = SealHeader(
            purpose=purpose,
            cost=self._cost,
            salt=_encode(self._salt),
            nonce=_encode(secrets.token_bytes(NONCE_BYTES)),
        )
        box = AESGCM(self._key).encrypt(header.nonce, content, header.associated_data())
        return Sealed(header=header, box=_encode(box)).model_dump_json(indent=1).encode() + b"\n"

    def open(self, sealed: Sealed) -> bytes:
        """Raises: WrongPassphrase (also when header or box were altered: GCM cannot tell the two apart)."""
        try:
            return AESGCM(self._key).decrypt(sealed.header.nonce, sealed.box, sealed.header.associated_data())
        except InvalidTag:
            raise WrongPassphrase from None


def check_passphrase(passphrase: str) -> None:
    """Raises: WeakPassphrase below 12 characters."""
    if len(passphrase) < MIN_PASSPHRASE_CHARACTERS:
        raise WeakPassphrase


def read_sealed(content: bytes, purpose: Purpose) -> Sealed:
    """Parse a sealed file without opening it. Raises: SealDamaged (also for costs out of bounds)."""
    try:
        sealed = Sealed.model_validate_json(content)
    except ValidationError:
        raise SealDamaged from None
    header = sealed.header
    if header.purpose != purpose or len(header.salt) != SALT_BYTES or len(header.nonce) != NONCE_BYTES:
        raise SealDamaged
    return sealed


def unseal(content: bytes, passphrase: str, purpose: Purpose) -> tuple[bytes, WrappingKey]:
    """Open a sealed file. Blocking. Raises: SealDamaged, WrongPassphrase."""
    sealed = read_sealed(content, purpose)
    key = WrappingKey.derive(passphrase, salt=sealed.header.salt, cost=sealed.header.cost)
    return key.open(sealed), key


def _encode(raw: bytes) -> bytes:
    # Base64Bytes decodes what it is given, so it must be given the encoded form.
    return base64.b64encode(raw)
