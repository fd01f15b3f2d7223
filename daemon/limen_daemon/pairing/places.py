"""Where the keys of a pairing are kept: in the system's keyring, else in the encrypted profile."""

from __future__ import annotations

from typing import Protocol

from limen_daemon.pairing.record import SECRET_BYTES, Place
from limen_profiles import ProfileService
from limen_profiles.errors import ProfileOff
from limen_profiles.keys import KeyringItems

_PREFIX = "pairing-"


class KeyPlace(Protocol):
    """All methods block and raise `ProfileError` when the place cannot be used now."""

    @property
    def kind(self) -> Place: ...

    def load(self, kid: str) -> bytes | None:
        """The keys of this pairing, 96 bytes; None when the place works and has none."""
        ...

    def store(self, kid: str, secret: bytes) -> None: ...

    def delete(self, kid: str) -> None: ...


class KeyringPlace:
    """One item of the keyring for each browser."""

    kind: Place = "keyring"

    def __init__(self, items: KeyringItems | None = None) -> None:
        self._items = items or KeyringItems()

    def load(self, kid: str) -> bytes | None:
        return _whole(self._items.load(_PREFIX + kid))

    def store(self, kid: str, secret: bytes) -> None:
        self._items.store(_PREFIX + kid, secret)

    def delete(self, kid: str) -> None:
        self._items.delete(_PREFIX + kid)


class ProfilePlace:
    """In the profile's database: sealed under its key, readable while it is open. A profile that is kept in
    memory only is no place: it would forget them at every stop."""

    kind: Place = "profile"

    def __init__(self, service: ProfileService) -> None:
        self._service = service

    def load(self, kid: str) -> bytes | None:
        try:
            return _whole(self._service.profile().kept_secrets().get(_PREFIX + kid))
        except ProfileOff:
            return None

    def store(self, kid: str, secret: bytes) -> None:
        if self._service.status().holder == "memory":
            raise ProfileOff
        self._service.profile().keep_secret(_PREFIX + kid, secret)

    def delete(self, kid: str) -> None:
        self._service.profile().forget_secret(_PREFIX + kid)


def _whole(secret: bytes | None) -> bytes | None:
    return secret if secret is not None and len(secret) == SECRET_BYTES else None
