"""Who is paired, and with which keys."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from limen_daemon.errors import ConfigError
from limen_daemon.pairing.encoding import as_base64
from limen_daemon.pairing.record import Book, Entry, OldPairing, Pairing
from limen_daemon.private_files import make_private_folder, read_private, replace_private

FILE_NAME = "pairings.json"
MAX_PAIRINGS = 16


class PairingStore(Protocol):
    """Keeps the pairings. `find` and `seen` are called for every request and touch memory only; the others
    may block."""

    def find(self, kid: str) -> Pairing | None: ...

    def seen(self, kid: str, at_ms: int) -> None:
        """This browser has just asked."""
        ...

    def all(self) -> Sequence[Entry]:
        """Every pairing, the oldest first, with when it was last seen."""
        ...

    def add(self, pairing: Pairing, *, label: str, created_ms: int) -> Entry: ...

    def remove(self, kids: Sequence[str]) -> int:
        """Forget these pairings at once; how many there were."""
        ...


_OLD = TypeAdapter(list[OldPairing])


class PairingFile:
    """Pairings in a file of the state folder (0600 in 0700)."""

    def __init__(self, state_dir: Path) -> None:
        """Read the file if there is one. Blocking. Raises: `ConfigError`."""
        self._path = make_private_folder(state_dir) / FILE_NAME
        self._writing = threading.Lock()
        self._entries = {entry.kid: entry for entry in _read(self._path)}
        self._seen: dict[str, int] = {}
        self._pairings = {
            entry.kid: entry.pairing(entry.secret)
            for entry in self._entries.values()
            if entry.secret is not None
        }

    def find(self, kid: str) -> Pairing | None:
        return self._pairings.get(kid)

    def seen(self, kid: str, at_ms: int) -> None:
        self._seen[kid] = at_ms

    def all(self) -> Sequence[Entry]:
        return tuple(map(self._with_seen, self._entries.values()))

    def add(self, pairing: Pairing, *, label: str, created_ms: int) -> Entry:
        """Over `MAX_PAIRINGS` the oldest goes."""
        with self._writing:
            entry = Entry(
                kid=pairing.kid,
                origin=pairing.origin,
                label=label,
                created_ms=created_ms,
                secret=as_base64(pairing.secret),
            )
            self._entries[pairing.kid] = entry
            while len(self._entries) > MAX_PAIRINGS:
                self._forget(next(iter(self._entries)))
            self._pairings[pairing.kid] = pairing
            self._write()
            return entry

    def remove(self, kids: Sequence[str]) -> int:
        with self._writing:
            removed = sum(map(self._forget, kids))
            if removed:
                self._write()
            return removed

    def save_seen(self) -> None:
        """Write down when the browsers were last seen, if that changed. Once in a while, not per request."""
        with self._writing:
            if any(self._with_seen(entry) != entry for entry in self._entries.values()):
                self._write()

    def _forget(self, kid: str) -> bool:
        self._pairings.pop(kid, None)
        return self._entries.pop(kid, None) is not None

    def _with_seen(self, entry: Entry) -> Entry:
        at_ms = self._seen.get(entry.kid)
        return entry if at_ms is None else entry.model_copy(update={"last_seen_ms": at_ms})

    def _write(self) -> None:
        self._entries = {kid: self._with_seen(entry) for kid, entry in self._entries.items()}
        # `model_construct`: the entries are whole already, and their keys must not be decoded twice.
        book = Book.model_construct(format=2, pairings=list(self._entries.values()))
        replace_private(self._path, book.model_dump_json(indent=1).encode() + b"\n")


def _read(path: Path) -> Sequence[Entry]:
    try:
        content = read_private(path)
    except FileNotFoundError:
        return ()
    try:
        if content.lstrip().startswith(b"["):
            return [_renewed(old) for old in _OLD.validate_json(content)]
        return Book.model_validate_json(content).pairings
    except ValidationError:
        raise ConfigError(f"{path} is damaged. Run `limen unpair --all`, then pair again.") from None


def _renewed(old: OldPairing) -> Entry:
    return Entry(
        kid=old.kid,
        origin=old.origin,
        label=old.label,
        created_ms=old.created_ms,
        secret=as_base64(old.auth + old.c2s + old.s2c),
    )


def forget_all(state_dir: Path) -> None:
    """Remove the file, whatever it holds. Blocking."""
    (make_private_folder(state_dir) / FILE_NAME).unlink(missing_ok=True)
