"""One profile on disk, opened: its lock, its identity, its key holder and the thread that owns the database.

Changing the key survives a crash at any moment: the new key is put into the holder's "next" slot before
the file is rekeyed, and moved to "current" after; opening tries both and finishes what was begun.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Engine
from sqlmodel import Session

from limen_profiles.errors import KeyMissing, ProfileExists, ProfileOff, StoreDamaged, WrongKey
from limen_profiles.identity import Identity, read_identity
from limen_profiles.keys import KeyHolder, new_key
from limen_profiles.paths import ProfilePaths
from limen_profiles.private_files import create_private, make_private_folder, overwrite_and_remove
from limen_profiles.store.engine import Connection, connect, integrity_problems, open_engine
from limen_profiles.store.process_lock import ProcessLock
from limen_profiles.store.writer import Writer

T = TypeVar("T")


class Vault:
    """An opened profile. Who opens it closes it; `close()` is idempotent. All methods block."""

    def __init__(
        self, paths: ProfilePaths, identity: Identity, holder: KeyHolder, lock: ProcessLock, writer: Writer
    ) -> None:
        self.paths = paths
        self.identity = identity
        self.holder = holder
        self._lock = lock
        self._writer = writer

    @classmethod
    def create(cls, paths: ProfilePaths, identity: Identity, holder: KeyHolder) -> Vault:
        """Start a profile. Raises: ProfileExists, StoreBusy, KeyFault, StoreError; then nothing is left
        behind but a folder and, at most, a key for a profile that was never used."""
        make_private_folder(paths.folder)
        lock = ProcessLock(paths.lock)
        lock.acquire()
        try:
            if profile_exists(paths):
                raise ProfileExists
            key = new_key()
            identity = identity.with_keys(key)
            identity.write(paths.identity)
            holder.store("current", key)
            writer = Writer(lambda: open_engine(_file(paths, holder), key))
        except BaseException:
            lock.release()
            raise
        return cls(paths, identity, holder, lock, writer)

    @classmethod
    def open(cls, paths: ProfilePaths, identity: Identity, holder: KeyHolder) -> Vault:
        """Open the profile that is there. Raises: ProfileOff, StoreBusy, KeyMissing, WrongKey, StoreError."""
        if not profile_exists(paths):
            raise ProfileOff
        make_private_folder(paths.folder)
        lock = ProcessLock(paths.lock)
        lock.acquire()
        try:
            identity = read_identity(paths.identity) or identity
            writer, key = _open_with_held_key(paths, identity, holder)
            try:
                identity = _settle(paths, identity, holder, key)
            except BaseException:
                writer.close()
                raise
        except BaseException:
            lock.release()
            raise
        return cls(paths, identity, holder, lock, writer)

    def call(self, job: Callable[[Session], T]) -> T:
        """Run `job` in a transaction of the database's thread. Raises: StoreClosed, StoreError."""
        return self._writer.call(job)

    def rotate(self) -> None:
        """Change the key of the file. Other calls fail with `StoreClosed` meanwhile; the caller serializes.

        Raises: KeyFault, StoreError. When the new key could not even be kept nothing has changed; after any
        other error the vault is closed, and opening again finds a key that fits.
        """
        old_key = self.holder.load("current")
        if old_key is None:
            raise KeyMissing
        key = new_key()
        path = _file(self.paths, self.holder)
        self.holder.store("next", key)
        try:
            if path is not None:
                self.identity = self.identity.with_keys(old_key, key)
                self.identity.write(self.paths.identity)
                self._writer.call_with_engine(_leave_wal)
                self._writer.close()
                _rekey(path, old_key, key)
                self._writer = Writer(lambda: open_engine(path, key))
            self.identity = _settle(self.paths, self.identity, self.holder, key)
        except BaseException:
            self.close()
            raise

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy under the same key, so encrypted too.

        Raises: FileExistsError, StoreError.
        """
        create_private(path)  # SQLite accepts an empty file, and this one is private from the start
        try:
            self._writer.call_with_engine(lambda engine: _raw(engine).execute("VACUUM INTO ?", (str(path),)))
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    @property
    def is_open(self) -> bool:
        return self._writer.is_open

    def close(self) -> None:
        self._writer.close()
        self._lock.release()


def profile_exists(paths: ProfilePaths) -> bool:
    """Whether there is a database with something in it. An empty file is a start that did not finish."""
    try:
        return paths.database.stat().st_size > 0
    except FileNotFoundError:
        return False


def remove_files(paths: ProfilePaths) -> list[Path]:
    """Overwrite and unlink every file of the profile but its lock, which the caller may hold."""
    return [path for path in _own_files(paths) if overwrite_and_remove(path)]


def _own_files(paths: ProfilePaths) -> list[Path]:
    wrapped = paths.wrapped_key
    drafts = sorted(paths.folder.glob(".*.????????")) if paths.folder.is_dir() else []
    return [
        *paths.database_files(),
        wrapped,
        wrapped.with_name(wrapped.name + ".next"),
        paths.identity,
        *drafts,
    ]


def _file(paths: ProfilePaths, holder: KeyHolder) -> Path | None:
    return None if holder.kind == "memory" else paths.database


def _open_with_held_key(paths: ProfilePaths, identity: Identity, holder: KeyHolder) -> tuple[Writer, bytes]:
    """Try "current", then "next". Where the identity knows the key, it is the file that is damaged."""
    held = [key for key in (holder.load("current"), holder.load("next")) if key is not None]
    if not held:
        raise KeyMissing
    for key in held:
        try:
            return Writer(lambda key=key: open_engine(paths.database, key)), key  # type: ignore[misc]
        except WrongKey:
            continue
    if any(identity.knows(key) for key in held):
        raise StoreDamaged
    raise WrongKey


def _settle(paths: ProfilePaths, identity: Identity, holder: KeyHolder, key: bytes) -> Identity:
    """Finish a change of key: `key`, which opens the file, becomes "current" and the only one."""
    if holder.load("current") != key:
        holder.store("current", key)
    if holder.load("next") is not None:
        holder.delete("next")
    settled = identity.with_keys(key)
    if settled != identity:
        settled.write(paths.identity)
    return settled


def _leave_wal(engine: Engine) -> None:
    connection = _raw(engine)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.execute("PRAGMA journal_mode=DELETE").fetchall()


def _rekey(path: Path, old_key: bytes, key: bytes) -> None:
    connection = connect(path, old_key)
    try:
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        connection.execute(f"PRAGMA rekey = \"x'{key.hex()}'\"")
    finally:
        connection.close()
    connection = connect(path, key)
    try:
        if integrity_problems(connection):
            raise StoreDamaged
    finally:
        connection.close()


def _raw(engine: Engine) -> Connection:
    return engine.raw_connection().driver_connection
