"""The window in which a code is good: 120 s, five tries, one success. It holds no key and no socket."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from limen_daemon.errors import CodeWrong, PairingClosed
from limen_daemon.pairing.agreement import Hello

OPEN_S = 120.0
TRIES = 5
MAX_PENDING = 4


@dataclass(frozen=True, slots=True)
class Pending:
    """A hello that waits for its proof."""

    hello: Hello
    private: EllipticCurvePrivateKey = field(repr=False)


class Window:
    """One code's window. `clock` gives seconds, monotonic."""

    def __init__(self, code: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._code = code
        self._clock = clock
        self._until = clock() + OPEN_S
        self._tries = TRIES
        self._is_shut = False
        self._pending: OrderedDict[tuple[str, bytes], Pending] = OrderedDict()

    @property
    def code(self) -> str:
        return self._code

    @property
    def is_open(self) -> bool:
        return not self._is_shut and self._tries > 0 and self._clock() < self._until

    def remember(self, pending: Pending) -> None:
        """Keep a hello, the newest four at most. Raises: `PairingClosed`."""
        self._require_open()
        self._pending[(pending.hello.origin, pending.hello.client_nonce)] = pending
        while len(self._pending) > MAX_PENDING:
            self._pending.popitem(last=False)

    def take(self, origin: str, client_nonce: bytes) -> Pending:
        """The hello that a proof belongs to, once. It costs a try.

        Raises: `PairingClosed`, also for a proof without a hello.
        """
        self._require_open()
        pending = self._pending.pop((origin, client_nonce), None)
        if pending is None:
            raise PairingClosed("no such pairing was begun; start again")
        self._tries -= 1
        return pending

    def wrong(self) -> CodeWrong:
        """The error for a proof that does not fit. The fifth shuts the window."""
        if self._tries <= 0:
            self.shut()
        return CodeWrong(self._tries)

    def shut(self) -> None:
        """No further try: the code was used, or its owner went away."""
        self._is_shut = True
        self._pending.clear()

    def _require_open(self) -> None:
        if not self.is_open:
            raise PairingClosed("no pairing window is open; run `limen pair`")
