"""Erasing everything: the key first, since without it the rest is noise, then the files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from keyring.backend import KeyringBackend

from limen_profiles.errors import ProfileError
from limen_profiles.identity import Identity, read_identity
from limen_profiles.keys import KeyFileHolder, KeyHolder, KeyringHolder
from limen_profiles.paths import ProfilePaths
from limen_profiles.private_files import sync_folder
from limen_profiles.records import Record
from limen_profiles.store.process_lock import ProcessLock
from limen_profiles.vault import Vault, remove_files


class Erased(Record):
    """`key_deleted`: whether the key was deleted and its place read back empty. `removed`: file names.
    `left`: sentences about what is not ours to remove, for the user."""

    key_deleted: bool
    removed: list[str]
    left: list[str]


def erase(paths: ProfilePaths, vault: Vault | None, keyring: Callable[[], KeyringBackend]) -> Erased:
    """Erase the profile in `paths`, open (`vault`) or not. Blocking. Raises: StoreBusy.

    A key that cannot be deleted (its keyring is gone) does not keep the files from being removed; the
    result says so.
    """
    lock = None
    if vault is None and paths.folder.is_dir():
        lock = ProcessLock(paths.lock)
        lock.acquire()
    try:
        key_deleted = _delete_keys(paths, vault, keyring)
        if vault is not None:
            vault.close()
        removed = remove_files(paths)
    finally:
        if lock is not None:
            lock.release()
    with suppress(OSError):
        paths.lock.unlink()
    if paths.folder.parent.is_dir():
        sync_folder(paths.folder.parent)
    left = ["Exports you made stay where you saved them. Detector models are not part of the profile."]
    if not key_deleted:
        left.append("The key could not be deleted where it was kept. The database it opened is gone.")
    return Erased(key_deleted=key_deleted, removed=[path.name for path in removed], left=left)


def _delete_keys(paths: ProfilePaths, vault: Vault | None, keyring: Callable[[], KeyringBackend]) -> bool:
    try:
        holder = vault.holder if vault is not None else _holder(paths, keyring)
        if holder is not None:
            holder.delete("current")
            holder.delete("next")
    except ProfileError:
        return False
    # A wrapped key is a file among the others; overwriting it below is what deletes it.
    return holder is not None or paths.wrapped_key.exists()


def _holder(paths: ProfilePaths, keyring: Callable[[], KeyringBackend]) -> KeyHolder | None:
    identity: Identity | None = None
    with suppress(ProfileError):
        identity = read_identity(paths.identity)
    if identity is None:
        return None
    if identity.holder == "keyring":
        return KeyringHolder(identity.profile_id, keyring())
    if identity.holder == "key_file":
        path = identity.key_file or paths.default_key_file
        return KeyFileHolder(path, profile_folder=paths.folder)
    return None
