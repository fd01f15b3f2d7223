"""Who is paired, and with which keys."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from limen_daemon.errors import ConfigError
from limen_daemon.private_files import make_private_folder, read_private, replace_private

FILE_NAME = "pairings.json"
MAX_PAIRINGS = 16


class Pairing(BaseModel):
    """One paired browser. Times are Unix milliseconds. `kid` names the keys and may be logged."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    kid: str = Field(pattern=r"^[A-Za-z0-9_-]{16}$")
    origin: str
    label: str
    created_ms: int
    auth: Base64Bytes = Field(repr=False)
    c2s: Base64Bytes = Field(repr=False)
    s2c: Base64Bytes = Field(repr=False)


class PairingStore(Protocol):
    """Keeps the pairings. `find` is called for every request and reads memory; the others may block."""

    def find(self, kid: str) -> Pairing | None: ...

    def all(self) -> Sequence[Pairing]: ...

    def add(self, pairing: Pairing) -> None: ...

    def remove(self, kids: Sequence[str]) -> int:
        """Forget these pairings at once; how many there were."""
        ...


_PAIRINGS = TypeAdapter(list[Pairing])


class PairingFile:
    """Pairings in a file of the state folder (0600 in 0700).

    That keeps the keys from other users of this computer. Whoever takes the disk gets them too, and can do
    nothing with them: they open no stored data, only requests to the daemon while it runs here.
    """

    def __init__(self, state_dir: Path) -> None:
        """Read the file if there is one. Blocking. Raises: `ConfigError`."""
        self._path = make_private_folder(state_dir) / FILE_NAME
        try:
            found = _PAIRINGS.validate_json(read_private(self._path))
        except FileNotFoundError:
            found = []
        except ValidationError:
            raise ConfigError(
                f"{self._path} is damaged. Run `limen unpair --all`, then pair again."
            ) from None
        self._pairings = {pairing.kid: pairing for pairing in found}

    def find(self, kid: str) -> Pairing | None:
        return self._pairings.get(kid)

    def all(self) -> Sequence[Pairing]:
        return tuple(self._pairings.values())

    def add(self, pairing: Pairing) -> None:
        """Over `MAX_PAIRINGS` the oldest goes."""
        self._pairings[pairing.kid] = pairing
        while len(self._pairings) > MAX_PAIRINGS:
            del self._pairings[next(iter(self._pairings))]
        self._write()

    def remove(self, kids: Sequence[str]) -> int:
        removed = sum(self._pairings.pop(kid, None) is not None for kid in kids)
        if removed:
            self._write()
        return removed

    def _write(self) -> None:
        replace_private(self._path, _PAIRINGS.dump_json(list(self._pairings.values())))


def forget_all(state_dir: Path) -> None:
    """Remove the file, whatever it holds. Blocking."""
    (make_private_folder(state_dir) / FILE_NAME).unlink(missing_ok=True)
