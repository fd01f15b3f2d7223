"""A JSON-lines file that survives `kill -9`: rows are appended, a torn last row is cut off on opening."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from limen_eval.errors import RunError

try:
    import fcntl
except ImportError:  # Windows has no such lock.
    fcntl = None  # type: ignore[assignment]

_BLOCK_BYTES = 65_536


class Journal:
    """Append-only rows. Who opens it closes it; one writer at a time. Not safe across threads."""

    def __init__(self, path: Path) -> None:
        """Raises: `RunError` when another process has the file open for writing."""
        self.path = path
        self._file: BinaryIO | None = path.open("ab")
        try:
            _claim(self._file)
        except OSError as error:
            self.close()
            raise RunError(f"{path}: another process is writing this run") from error
        cut_torn_row(path)

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one row and hand it to the operating system, so that killing this process loses nothing."""
        if self._file is None:
            raise ValueError("the journal is closed")
        self._file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file. Idempotent."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _claim(file: BinaryIO) -> None:
    """Lock the file for this process; the system frees it when the process ends, however it ends."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the complete rows of a journal; a missing file has none, a torn last row is left out."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield json.loads(line)


def cut_torn_row(path: Path) -> None:
    """Cut a last row that was not written to its end (no newline)."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        end = file.seek(0, 2)
        keep = end
        while keep > 0:
            start = max(0, keep - _BLOCK_BYTES)
            file.seek(start)
            newline = file.read(keep - start).rfind(b"\n")
            if newline >= 0:
                keep = start + newline + 1
                break
            keep = start
        if keep != end:
            file.truncate(keep)
