"""The key wrapped under a passphrase. Changing the passphrase rewraps the key; the database stays as it is.

While the profile is open the derived wrapping key stays in memory (the profile's own key does anyway), so
that the profile's key can be changed without asking again. The passphrase itself is not kept.
"""

from __future__ import annotations

from pathlib import Path

from limen_profiles.errors import KeyMissing, KeyringRefused, SealDamaged
from limen_profiles.keys.holder import KEY_BYTES, HolderKind, Slot
from limen_profiles.private_files import overwrite_and_remove, replace_private, sync_folder
from limen_profiles.sealing import KdfCost, Purpose, WrappingKey, check_passphrase, read_sealed

PURPOSE: Purpose = "profile-key"
MAX_FILE_BYTES = 8192


class PassphraseHolder:
    """`path` holds the wrapped current key; `path` with ".next" the one being changed to."""

    def __init__(self, path: Path, wrapping_key: WrappingKey) -> None:
        self._path = path
        self._wrapping_key = wrapping_key

    @classmethod
    def create(cls, path: Path, passphrase: str, *, cost: KdfCost | None = None) -> PassphraseHolder:
        """A holder with nothing in it yet. Blocking (0.4 s). Raises: WeakPassphrase."""
        check_passphrase(passphrase)
        return cls(path, WrappingKey.derive(passphrase, cost=cost))

    @classmethod
    def unlock(cls, path: Path, passphrase: str) -> PassphraseHolder:
        """Blocking (0.4 s). Raises: WrongPassphrase, KeyMissing, SealDamaged."""
        for candidate in (path, _next(path)):
            content = _read(candidate)
            if content is None:
                continue
            sealed = read_sealed(content, PURPOSE)
            key = WrappingKey.derive(passphrase, salt=sealed.header.salt, cost=sealed.header.cost)
            key.open(sealed)
            return cls(path, key)
        raise KeyMissing

    @property
    def kind(self) -> HolderKind:
        return "passphrase"

    def load(self, slot: Slot) -> bytes | None:
        content = _read(self._of(slot))
        if content is None:
            return None
        key = self._wrapping_key.open(read_sealed(content, PURPOSE))
        if len(key) != KEY_BYTES:
            raise SealDamaged
        return key

    def store(self, slot: Slot, key: bytes) -> None:
        try:
            replace_private(self._of(slot), self._wrapping_key.seal(key, PURPOSE))
        except OSError:
            raise KeyringRefused("The wrapped key could not be written.") from None
        if self.load(slot) != key:
            raise KeyringRefused("The wrapped key did not keep what was written.")

    def delete(self, slot: Slot) -> None:
        path = self._of(slot)
        if overwrite_and_remove(path):
            sync_folder(path.parent)

    def change_passphrase(self, passphrase: str) -> None:
        """Wrap the current key anew. Blocking. Raises: WeakPassphrase, KeyMissing."""
        check_passphrase(passphrase)
        key = self.load("current")
        if key is None:
            raise KeyMissing
        self._wrapping_key = WrappingKey.derive(passphrase)
        self.store("current", key)

    def _of(self, slot: Slot) -> Path:
        return self._path if slot == "current" else _next(self._path)


def _next(path: Path) -> Path:
    return path.with_name(path.name + ".next")


def _read(path: Path) -> bytes | None:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        raise SealDamaged from None
    if len(content) > MAX_FILE_BYTES:
        raise SealDamaged
    return content
