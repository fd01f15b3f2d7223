"""Folders and files that only their owner may read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from limen_daemon.errors import ConfigError

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_private_folder(folder: Path) -> Path:
    """Create `folder` (0700) if it is missing, and insist that it is ours alone. Blocking.

    Raises: `ConfigError` when it belongs to someone else, is not a folder or is open to others.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise ConfigError(f"{folder} is not a folder. Move it away.")
    _check_owner(folder, found, wanted=FOLDER_MODE)
    return folder


def read_private(path: Path) -> bytes:
    """The content of `path`. Blocking.

    Raises: `FileNotFoundError`; `ConfigError` when others may read it or it is a link.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({type(error).__name__}).") from None
    with os.fdopen(descriptor, "rb") as file:
        _check_owner(path, os.fstat(file.fileno()), wanted=FILE_MODE)
        return file.read()


def create_private(path: Path, content: bytes) -> None:
    """Write a new file, 0600 from its first moment. Blocking. Raises: `FileExistsError`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def replace_private(path: Path, content: bytes) -> None:
    """Write `path` atomically: a reader sees the old content or the new, never a part. Blocking."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    create_private(draft, content)
    draft.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows has no folder handle to flush
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_owner(path: Path, found: os.stat_result, *, wanted: int) -> None:
    if os.name == "nt":  # the profile folder's access list does this on Windows
        return
    if found.st_uid != os.getuid():
        raise ConfigError(f"{path} belongs to another user. Limen will not use it.")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise ConfigError(f"{path} is open to other users. Run: chmod {wanted:o} '{path}'")
