"""Files that only this user may read, written so that a crash leaves the old or the new content.

All functions block.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

CHUNK_BYTES = 1 << 20


def make_private_folder(folder: Path) -> None:
    """Create `folder` with the parents it lacks and make it 0700, whatever the umask is."""
    if not folder.parent.exists():
        make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) != 0o700:
        folder.chmod(0o700)


def create_private(path: Path) -> None:
    """Create an empty 0600 file. Raises: FileExistsError."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        if os.name == "posix":
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def write_new_private(path: Path, content: bytes) -> None:
    """Write a file that must not exist yet, 0600, on disk when this returns. Raises: FileExistsError."""
    create_private(path)
    with path.open("r+b") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)


def replace_private(path: Path, content: bytes) -> None:
    """Write `path` so that a crash at any moment leaves the old or the new content, 0600."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    write_new_private(draft, content)
    try:
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def others_may_read(path: Path) -> bool:
    """Whether the mode lets the group or others at the file. Always false where modes mean nothing."""
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def overwrite_and_remove(path: Path) -> bool:
    """Overwrite with random bytes and unlink. Returns whether there was a file.

    Where the system allows it the name goes first: a process killed in between must not leave random bytes
    under the name of a key, which would then be taken for a damaged key.

    Best effort: a solid-state disk or a copy-on-write file system may keep the old blocks. What makes
    the content unreadable is that its key is gone.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return False
    with contextlib.suppress(OSError), path.open("r+b") as file:
        if os.name == "posix":
            path.unlink()
        for start in range(0, size, CHUNK_BYTES):
            file.write(secrets.token_bytes(min(CHUNK_BYTES, size - start)))
        file.flush()
        os.fsync(file.fileno())
    path.unlink(missing_ok=True)
    return True


def sync_folder(folder: Path) -> None:
    """Make a rename or an unlink in `folder` survive a power cut (POSIX; elsewhere nothing to do)."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
