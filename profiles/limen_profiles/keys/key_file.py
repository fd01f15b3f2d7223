"""The key in a file of the user's choice, 0600, for machines without a keyring.

It protects against other users of the computer, not against someone who has the disk: the user is told
so (`WARNING`) before the file is made. It may not lie in the profile's folder, where every copy and
backup of the profile would carry its own key along.
"""

from __future__ import annotations

from pathlib import Path

from limen_profiles.errors import KeyFault, KeyFileMissing, KeyFileUnsafe, KeyringRefused, SealDamaged
from limen_profiles.keys.holder import KEY_BYTES, HolderKind, Slot
from limen_profiles.private_files import (
    make_private_folder,
    others_may_read,
    overwrite_and_remove,
    replace_private,
    sync_folder,
)

WARNING = (
    "The key file protects your profile against other users of this computer, not against someone who has "
    "the disk or a copy of it. Keep it out of backups that hold the profile too."
)


class KeyFileHolder:
    """`path` for the current key, `path` with ".next" appended while the key is being changed."""

    def __init__(self, path: Path, *, profile_folder: Path) -> None:
        if path.resolve().is_relative_to(profile_folder.resolve()):
            raise KeyFileUnsafe(
                "The key file may not lie in the profile's own folder: whoever copies the folder would have "
                "both. Choose another place."
            )
        self._path = path

    @property
    def kind(self) -> HolderKind:
        return "key_file"

    def load(self, slot: Slot) -> bytes | None:
        path = self._of(slot)
        try:
            if others_may_read(path):
                raise KeyFileUnsafe(
                    "The profile's key file can be read by other users, so it was not used. "
                    f"Run `chmod 600 {path}` and think about changing the key: `limen profile rotate`."
                )
            content = path.read_text("ascii").strip()
        except FileNotFoundError:
            if slot == "current" and self._of("next").exists():
                return None  # a crash between removing the old key and promoting the new one
            if slot == "current":
                raise KeyFileMissing from None
            return None
        except (UnicodeDecodeError, OSError):
            raise SealDamaged("The profile's key file cannot be read.") from None
        try:
            key = bytes.fromhex(content)
        except ValueError:
            raise SealDamaged("The profile's key file does not hold a key.") from None
        if len(key) != KEY_BYTES:
            raise SealDamaged("The profile's key file does not hold a key.")
        return key

    def store(self, slot: Slot, key: bytes) -> None:
        path = self._of(slot)
        try:
            make_folder_if_missing(path.parent)
            replace_private(path, key.hex().encode() + b"\n")
        except OSError:
            raise KeyringRefused("The key file could not be written there.") from None
        if self.load(slot) != key:
            raise KeyringRefused("The key file did not keep what was written.")

    def delete(self, slot: Slot) -> None:
        path = self._of(slot)
        try:
            if overwrite_and_remove(path):
                sync_folder(path.parent)
        except OSError:
            raise KeyFault("The key file could not be deleted. Delete it by hand.") from None

    def _of(self, slot: Slot) -> Path:
        return self._path if slot == "current" else self._path.with_name(self._path.name + ".next")


def make_folder_if_missing(folder: Path) -> None:
    """Folders that exist are the user's own and keep their mode; new ones are private."""
    if not folder.exists():
        make_private_folder(folder)
