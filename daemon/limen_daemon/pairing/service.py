"""The steps of a pairing, from the open window to the stored keys."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from limen_daemon import journal
from limen_daemon.errors import PairingClosed
from limen_daemon.pairing.agreement import (
    NONCE_BYTES,
    Hello,
    agree,
    check_point,
    new_private_key,
    point_of,
    proof,
)
from limen_daemon.pairing.code import new_code
from limen_daemon.pairing.encoding import encode
from limen_daemon.pairing.record import Entry, Pairing
from limen_daemon.pairing.store import PairingStore
from limen_daemon.pairing.window import Pending, Window

KID_BYTES = 12


class Terminal(Protocol):
    """Where `limen pair` waits, and the user in front of it."""

    async def approve(self, origin: str) -> bool:
        """Ask whether the extension with this origin may be paired."""
        ...

    def paired(self, entry: Entry) -> None: ...

    def ended(self) -> None:
        """The window is shut without a pairing."""
        ...


@dataclass(frozen=True, slots=True)
class Paired:
    """`proof` shows the extension that the daemon knows the code too."""

    pairing: Pairing
    proof: bytes


class PairingService:
    """At most one window is open; opening another shuts the first."""

    def __init__(
        self,
        store: PairingStore,
        *,
        known_origins: frozenset[str] = frozenset(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self._known_origins = known_origins
        self._clock = clock
        self._window: Window | None = None
        self._terminal: Terminal | None = None

    @property
    def is_open(self) -> bool:
        return self._window is not None and self._window.is_open

    def open_window(self, terminal: Terminal) -> Window:
        """Open a window with a new code. Whoever opened it shuts it."""
        if self._window is not None:
            self._window.shut()
        if self._terminal is not None:
            self._terminal.ended()
        self._window = Window(new_code(), clock=self._clock)
        self._terminal = terminal
        journal.event(journal.Event.PAIRING_OPENED)
        return self._window

    def shut_window(self, window: Window) -> None:
        window.shut()
        if window is self._window:
            self._window = self._terminal = None
        journal.event(journal.Event.PAIRING_CLOSED)

    def hello(self, origin: str, client_point: bytes, client_nonce: bytes) -> Hello:
        """Answer an extension's first step. Raises: `PairingClosed`, `PairingError` for a bad key."""
        window = self._open_window()
        check_point(client_point)
        private = new_private_key()
        hello = Hello(origin, client_point, client_nonce, point_of(private), secrets.token_bytes(NONCE_BYTES))
        window.remember(Pending(hello, private))
        return hello

    async def finish(self, origin: str, client_nonce: bytes, client_proof: bytes, *, label: str) -> Paired:
        """Check the extension's proof, ask the user if need be, keep the keys. `label`: what to call it.

        Raises: `CodeWrong`, `PairingClosed` (also when the user says no).
        """
        window, terminal = self._open_window(), self._terminal
        pending = window.take(origin, client_nonce)
        hello = pending.hello
        keys = await asyncio.to_thread(agree, pending.private, hello.client_point, window.code, hello)
        if not hmac.compare_digest(proof(keys, "ext", hello), client_proof):
            error = window.wrong()
            if terminal is not None and not window.is_open:
                terminal.ended()
            raise error
        window.shut()
        if terminal is None:
            raise PairingClosed("nobody waits for this pairing any more")
        if origin not in self._known_origins and not await terminal.approve(origin):
            terminal.ended()
            raise PairingClosed("the extension was not allowed")
        pairing = Pairing(encode(secrets.token_bytes(KID_BYTES)), origin, keys.auth, keys.c2s, keys.s2c)
        now_ms = time.time_ns() // 1_000_000
        entry = await asyncio.to_thread(self.store.add, pairing, label=label, created_ms=now_ms)
        journal.event(journal.Event.PAIRED)
        terminal.paired(entry)
        return Paired(pairing, proof(keys, "daemon", hello))

    def unpair(self, kids: list[str]) -> int:
        """Forget pairings; their next request is refused. Blocking."""
        removed = self.store.remove(kids)
        journal.event(journal.Event.UNPAIRED, removed=removed)
        return removed

    def _open_window(self) -> Window:
        if self._window is None or not self._window.is_open:
            raise PairingClosed("no pairing window is open; run `limen pair`")
        return self._window
