"""One process at a time: the database's owner holds a lock that the operating system frees on its death."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from limen_profiles.errors import StoreBusy


class ProcessLock:
    """An exclusive lock on a file. Not blocking: held, or `StoreBusy`. The file stays when released."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Raises: StoreBusy."""
        descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            raise StoreBusy from None
        self._descriptor = descriptor

    def release(self) -> None:
        """Idempotent."""
        if self._descriptor is not None:
            os.close(self._descriptor)  # closing the only descriptor frees the lock
            self._descriptor = None


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
