"""A paired browser that talks to a daemon of the tests, and pairings that tests look at closely."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from harness.browser_end import FINISH, HELLO, Browser, Terminal, pair
from harness.daemon import EXTENSION, RunningDaemon
from harness.raw_http import Answer
from limen_daemon.pairing.agreement import Keys
from limen_daemon.pairing.service import PairingService

__all__ = ["FINISH", "HELLO", "Attempt", "PairedClient", "Terminal", "paired", "try_pairing"]


@dataclass
class PairedClient:
    daemon: RunningDaemon
    kid: str
    keys: Keys
    origin: str = EXTENSION

    @property
    def browser(self) -> Browser:
        return Browser(self.kid, self.keys, self.origin)

    def authorization(self, path: str, *, at_ms: int | None = None) -> tuple[str, str]:
        """The header, and what the body must be bound to."""
        return self.browser.authorization(path, at_ms=at_ms)

    def request(self, path: str, body: Any, *, at_ms: int | None = None, **changed: str | None) -> bytes:
        header, bound_to = self.authorization(path, at_ms=at_ms)
        changed = {"authorization": header, "origin": self.origin, **changed}
        return self.daemon.request(path, self.sealed(body, bound_to), **changed)

    def sealed(self, body: Any, bound_to: str) -> bytes:
        return self.browser.seal(json.dumps(body).encode(), bound_to)

    async def post(self, path: str, body: Any, **changed: str | None) -> Answer:
        header, bound_to = self.authorization(path)
        changed = {"authorization": header, "origin": self.origin, **changed}
        answer = await self.daemon.send(path, self.sealed(body, bound_to), **changed)
        return self.browser.open(answer, bound_to)


@dataclass
class Attempt:
    """One run of the two steps. `answer` is the last one; `client` is there when it went well."""

    answer: Answer
    client: PairedClient | None = None


async def try_pairing(daemon: RunningDaemon, code: str, *, origin: str = EXTENSION) -> Attempt:
    answer, browser = await pair(daemon.unpaired(origin), code, origin)
    client = None if browser is None else PairedClient(daemon, browser.kid, browser.keys, origin)
    return Attempt(answer, client)


async def paired(daemon: RunningDaemon, service: PairingService, *, origin: str = EXTENSION) -> PairedClient:
    """A paired browser, with the user's consent."""
    window = service.open_window(Terminal())
    attempt = await try_pairing(daemon, window.code, origin=origin)
    service.shut_window(window)
    assert attempt.client is not None, attempt.answer
    return attempt.client
