"""Who is paired, and with which keys.

The list is a file. The keys are moved out of it to the best place there is; with none they stay in it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from limen_daemon.errors import ConfigError
from limen_daemon.pairing.encoding import as_base64
from limen_daemon.pairing.places import KeyPlace
from limen_daemon.pairing.record import Book, Entry, OldPairing, Pairing
from limen_daemon.private_files import make_private_folder, read_private, replace_private
from limen_profiles import ProfileError

FILE_NAME = "pairings.json"
MAX_PAIRINGS = 16


class PairingStore(Protocol):
    """Keeps the pairings. `find`, `is_locked` and `seen` are called for every request and touch memory only;
    the others may block."""

    def find(self, kid: str) -> Pairing | None: ...

    def is_locked(self, kid: str) -> bool:
        """Whether there is such a pairing and its keys are where they cannot be read now."""
        ...

    def seen(self, kid: str, at_ms: int) -> None:
        """This browser has just asked."""
        ...

    def all(self) -> Sequence[Entry]:
        """Every pairing, the oldest first, with when it was last seen."""
        ...

    def settle(self, places: Sequence[KeyPlace]) -> None:
        """Read the keys, and bring each to the first of `places` (the best first) that takes it."""
        ...

    def save_seen(self) -> None:
        """Write down when the browsers were last seen, if that changed: once in a while, not per request."""
        ...

    def add(self, pairing: Pairing, *, label: str, created_ms: int) -> Entry: ...

    def remove(self, kids: Sequence[str]) -> int:
        """Forget these pairings at once; how many there were."""
        ...


_OLD = TypeAdapter(list[OldPairing])


class PairingFile:
    """The list in a file of the state folder (0600 in 0700), with the keys that have no better place.

    `places` as `settle` takes them, which a caller that serves nobody needs not call.
    """

    def __init__(self, state_dir: Path, places: Sequence[KeyPlace] = ()) -> None:
        """Read the file if there is one. Blocking. Raises: `ConfigError`."""
        self._path = make_private_folder(state_dir) / FILE_NAME
        self._places = tuple(places)
        self._changing = threading.RLock()
        self._entries = {entry.kid: entry for entry in _read(self._path)}
        self._seen: dict[str, int] = {}
        self._locked: set[str] = {kid for kid, entry in self._entries.items() if entry.secret is None}
        self._pairings = {
            entry.kid: entry.pairing(entry.secret)
            for entry in self._entries.values()
            if entry.secret is not None
        }

    def find(self, kid: str) -> Pairing | None:
        return self._pairings.get(kid)

    def is_locked(self, kid: str) -> bool:
        return kid in self._locked

    def seen(self, kid: str, at_ms: int) -> None:
        self._seen[kid] = at_ms

    def all(self) -> Sequence[Entry]:
        return tuple(map(self._with_seen, tuple(self._entries.values())))

    def settle(self, places: Sequence[KeyPlace]) -> None:
        with self._changing:
            self._places = tuple(places)
            for entry in tuple(self._entries.values()):
                is_there = self._read_keys(entry)
                pairing = self._pairings.get(entry.kid)
                if pairing is not None:
                    self._bring(entry, pairing, is_there=is_there)

    def add(self, pairing: Pairing, *, label: str, created_ms: int) -> Entry:
        """Over `MAX_PAIRINGS` the oldest goes."""
        with self._changing:
            entry = Entry(kid=pairing.kid, origin=pairing.origin, label=label, created_ms=created_ms)
            self._pairings[pairing.kid] = pairing
            self._entries[pairing.kid] = entry
            gone = list(self._entries)[:-MAX_PAIRINGS]
            self._forget(gone)
            self._bring(entry, pairing, is_there=False)
            return self._entries[pairing.kid]

    def remove(self, kids: Sequence[str]) -> int:
        with self._changing:
            has_lost_keys = any(entry.secret is not None for entry in self._entries.values())
            removed = self._forget(kids)
            if removed:
                self._write(has_lost_keys=has_lost_keys)
            return removed

    def save_seen(self) -> None:
        with self._changing:
            if any(self._with_seen(entry) != entry for entry in self._entries.values()):
                self._write()

    def _read_keys(self, entry: Entry) -> bool:
        """Bring the keys into memory if need be. Whether they are where the list says."""
        if entry.secret is not None:
            return True
        place = next((place for place in self._places if place.kind == entry.kept_in), None)
        try:
            if place is None:
                return True  # nobody can look there now
            secret = place.load(entry.kid)
        except ProfileError:
            return True  # locked; what is in memory stays good
        self._locked.discard(entry.kid)
        if secret is None:
            return False
        self._pairings[entry.kid] = entry.pairing(secret)
        return True

    def _bring(self, entry: Entry, pairing: Pairing, *, is_there: bool) -> None:
        """To the best place that takes it, from where it is now (`is_there`) or from memory."""
        kept_in = "file" if entry.kept_in == "file" or not is_there else entry.kept_in
        for place in self._places:
            if is_there and place.kind == entry.kept_in:
                break  # nothing better works
            with contextlib.suppress(ProfileError):
                place.store(entry.kid, pairing.secret)
                kept_in = place.kind
                break
        secret = pairing.secret if kept_in == "file" else None
        moved = entry.model_copy(update={"kept_in": kept_in, "secret": secret})
        if moved == entry:
            return
        self._entries[entry.kid] = moved
        self._write(has_lost_keys=entry.secret is not None)
        if is_there and entry.kept_in != kept_in:
            self._delete_keys(entry)

    def _forget(self, kids: Sequence[str]) -> int:
        found = [entry for kid in kids if (entry := self._entries.pop(kid, None)) is not None]
        for entry in found:
            self._pairings.pop(entry.kid, None)
            self._locked.discard(entry.kid)
            self._delete_keys(entry)
        return len(found)

    def _delete_keys(self, entry: Entry) -> None:
        """Where the list said. What cannot be deleted now opens nothing: it is in the list no more."""
        for place in self._places:
            if place.kind == entry.kept_in:
                with contextlib.suppress(ProfileError):
                    place.delete(entry.kid)

    def _with_seen(self, entry: Entry) -> Entry:
        at_ms = self._seen.get(entry.kid)
        return entry if at_ms is None else entry.model_copy(update={"last_seen_ms": at_ms})

    def _write(self, *, has_lost_keys: bool = False) -> None:
        """`has_lost_keys`: the file held keys that have moved on; it is overwritten, not only unlinked."""
        self._entries = {kid: self._with_seen(entry) for kid, entry in self._entries.items()}
        # `model_construct`: the entries are whole already, and their keys must not be decoded twice.
        book = Book.model_construct(format=2, pairings=list(self._entries.values()))
        with contextlib.ExitStack() as stack:
            old = stack.enter_context(self._path.open("r+b")) if has_lost_keys else None
            replace_private(self._path, book.model_dump_json(indent=1).encode() + b"\n")
            if old is not None:
                old.write(bytes(os.fstat(old.fileno()).st_size))
                old.flush()
                os.fsync(old.fileno())


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
