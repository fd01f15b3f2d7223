"""Secrets of any length in the keyring of the operating system, each under a name of its own."""

from __future__ import annotations

from collections.abc import Callable

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from limen_profiles.errors import KeyringRefused
from limen_profiles.keys.keyring_holder import SERVICE, TIMEOUT_S, find_keyring, within


class KeyringItems:
    """The keyring is looked for at each call, so one that comes later is found.

    All methods block and raise NoKeyring, KeyringTimeout or KeyringRefused.
    """

    def __init__(
        self, find: Callable[[], KeyringBackend] = find_keyring, *, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._find = find
        self._timeout_s = timeout_s

    def load(self, name: str) -> bytes | None:
        """None when the keyring works and has no such item."""
        backend = self._find()
        stored = within(self._timeout_s, lambda: backend.get_password(SERVICE, name))
        if stored is None:
            return None
        try:
            return bytes.fromhex(stored)
        except ValueError:
            raise KeyringRefused from None

    def store(self, name: str, value: bytes) -> None:
        """When this returns, `value` has been read back and is the same."""
        backend = self._find()
        within(self._timeout_s, lambda: backend.set_password(SERVICE, name, value.hex()))
        if self.load(name) != value:
            raise KeyringRefused

    def delete(self, name: str) -> None:
        """When this returns, reading it back gives None."""
        backend = self._find()

        def remove() -> None:
            try:
                backend.delete_password(SERVICE, name)
            except PasswordDeleteError:
                return  # not there; the read below decides

        within(self._timeout_s, remove)
        if self.load(name) is not None:
            raise KeyringRefused
