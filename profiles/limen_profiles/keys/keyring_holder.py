"""The key in the keyring of the operating system.

Only backends that keep secrets encrypted under the user's login are used, named one by one; the choice
of another backend by `PYTHON_KEYRING_BACKEND` or keyring's configuration file is not looked at, since
anyone who can set an environment variable could point it at a plain file.
"""

from __future__ import annotations

import importlib
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from limen_profiles.errors import KeyringRefused, KeyringTimeout, NoKeyring, ProfileError
from limen_profiles.keys.holder import KEY_BYTES, HolderKind, Slot

SERVICE = "limen"
TIMEOUT_S = 10.0
# (module, class), in the order they are tried; each says itself whether it works on this machine.
ALLOWED_BACKENDS = (
    ("keyring.backends.macOS", "Keyring"),
    ("keyring.backends.Windows", "WinVaultKeyring"),
    ("keyring.backends.SecretService", "Keyring"),
    ("keyring.backends.libsecret", "Keyring"),
    ("keyring.backends.kwallet", "DBusKeyring"),
)

T = TypeVar("T")


class KeyringHolder:
    """One keyring item for each slot, under the service "limen" and the profile's id."""

    def __init__(self, profile_id: str, backend: KeyringBackend, *, timeout_s: float = TIMEOUT_S) -> None:
        self._profile_id = profile_id
        self._backend = backend
        self._timeout_s = timeout_s

    @property
    def kind(self) -> HolderKind:
        return "keyring"

    def load(self, slot: Slot) -> bytes | None:
        stored = self._call(lambda: self._backend.get_password(SERVICE, self._name(slot)))
        if stored is None:
            return None
        try:
            key = bytes.fromhex(stored)
        except ValueError:
            raise KeyringRefused from None
        if len(key) != KEY_BYTES:
            raise KeyringRefused
        return key

    def store(self, slot: Slot, key: bytes) -> None:
        self._call(lambda: self._backend.set_password(SERVICE, self._name(slot), key.hex()))
        if self.load(slot) != key:
            raise KeyringRefused

    def delete(self, slot: Slot) -> None:
        def remove() -> None:
            try:
                self._backend.delete_password(SERVICE, self._name(slot))
            except PasswordDeleteError:
                return  # backends raise this for an item that is not there; the read below decides

        self._call(remove)
        if self.load(slot) is not None:
            raise KeyringRefused

    def _name(self, slot: Slot) -> str:
        return f"profile-{self._profile_id}" + (".next" if slot == "next" else "")

    def _call(self, action: Callable[[], T]) -> T:
        return within(self._timeout_s, action)


def find_keyring(*, timeout_s: float = TIMEOUT_S) -> KeyringBackend:
    """The first allowed backend that works here. Blocking. Raises: NoKeyring, KeyringTimeout."""
    for module, name in ALLOWED_BACKENDS:
        backend = within(timeout_s, lambda module=module, name=name: _viable(module, name))  # type: ignore[misc]
        if backend is not None:
            return backend
    raise NoKeyring


def within(timeout_s: float, action: Callable[[], T]) -> T:
    """Run `action` in a thread of its own, so that a prompt nobody answers cannot hold us.

    Raises: KeyringTimeout, KeyringRefused. The error of the backend is dropped: it can name items.
    A thread that never returns stays behind; it is a daemon thread and does not hold up the exit.
    """
    answers: queue.SimpleQueue[tuple[bool, T | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((True, action()))
        except Exception:  # backends raise D-Bus, OS and keyring errors of many types
            answers.put((False, None))

    threading.Thread(target=run, name="limen-keyring", daemon=True).start()
    try:
        done, answer = answers.get(timeout=timeout_s)
    except queue.Empty:
        raise KeyringTimeout from None
    if not done:
        raise KeyringRefused
    return answer  # type: ignore[return-value]


def _viable(module: str, name: str) -> KeyringBackend | None:
    try:
        backend_class = getattr(importlib.import_module(module), name)
        if not issubclass(backend_class, KeyringBackend) or not backend_class.viable:
            return None
        backend = backend_class()
    except ProfileError:
        raise
    except Exception:  # a backend made for another system may fail on import in its own way
        return None
    return backend if isinstance(backend, KeyringBackend) else None
