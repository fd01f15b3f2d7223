"""What a key holder does. It has two slots, so that a change of key survives a crash at any moment."""

from __future__ import annotations

import secrets
from typing import Literal, Protocol

KEY_BYTES = 32

HolderKind = Literal["keyring", "passphrase", "key_file", "memory"]
Slot = Literal["current", "next"]


class KeyHolder(Protocol):
    """Keeps a 32-byte key in each of two slots. All methods block and raise `KeyFault`s only."""

    @property
    def kind(self) -> HolderKind: ...

    def load(self, slot: Slot) -> bytes | None:
        """The key in `slot`, or None when the holder works and has none."""

    def store(self, slot: Slot, key: bytes) -> None:
        """Keep `key` in `slot`; when this returns it has been read back and is the same."""

    def delete(self, slot: Slot) -> None:
        """Forget the key in `slot`; when this returns reading it back gives None."""


def new_key() -> bytes:
    """A fresh key from the operating system's random source."""
    return secrets.token_bytes(KEY_BYTES)
