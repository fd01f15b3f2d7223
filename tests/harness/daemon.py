"""A daemon in the test's own event loop, on a free port, behind the real gate."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.browser_end import HELLO, Browser, Post, Terminal, as_bytes, pair
from harness.raw_http import Answer, exchange, request_bytes
from harness.small_detector import SmallDetector
from limen_daemon.app import Deps, OpenProfile, create_app
from limen_daemon.detector.protocol import Detector
from limen_daemon.gate.protocol import HEAD_DEADLINE_S
from limen_daemon.gate.rules import RULES, Rule, authorization
from limen_daemon.lanes.protocol import Lane
from limen_daemon.lanes.thread import ThreadLane
from limen_daemon.lifecycle import make_policy
from limen_daemon.pairing.encoding import encode
from limen_daemon.pairing.record import Pairing
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.server import bind, serving
from limen_daemon.settings import Settings

EXTENSION = "chrome-extension://" + "abcdefghijklmnop" * 2
FIREFOX_EXTENSION = "moz-extension://0a1b2c3d-0000-4000-8000-00000000beef"
WITH_DOOR = sys.platform != "win32"
STATUS, DETECT = "/v1/status", "/v1/detect"


@dataclass(frozen=True)
class RunningDaemon:
    """`browser` is paired with it, and asks where a test says nothing else; None: nobody is."""

    port: int
    detector: Detector
    browser: Browser | None = None

    @property
    def calls(self) -> int:
        """How many texts have reached the detector."""
        return len(self.texts)

    @property
    def texts(self) -> list[str]:
        """The texts that have reached the detector."""
        assert isinstance(self.detector, SmallDetector)
        return self.detector.texts

    def headers(self, path: str = DETECT, **changed: str | None) -> dict[str, str]:
        """The headers of a good request, with some changed (`content_type=...`) or, by None, left out.

        They are good for one request to `path`; its body must be sealed with them (`sealed`).
        """
        good: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": self.browser.origin if self.browser else EXTENSION,
            "Authorization": self.browser.authorization(path)[0] if self.browser else None,
            "Content-Type": "application/json",
        }
        good.update({name.replace("_", "-").title(): value for name, value in changed.items()})
        return {name: value for name, value in good.items() if value is not None}

    def sealed(self, path: str, body: bytes) -> tuple[str, bytes]:
        """An `Authorization` for `path`, good once, and `body` sealed with it."""
        assert self.browser is not None, "nobody is paired with this daemon"
        header, bound_to = self.browser.authorization(path)
        return header, self.browser.seal(body, bound_to)

    def request(self, path: str, body: bytes, *, method: str = "POST", **changed: str | None) -> bytes:
        """Sealed by the paired browser. With an `authorization` of the test's own, `body` goes as it is."""
        return self._sealed_request(path, body, method, changed)[0]

    async def send(self, path: str, body: bytes, *, method: str = "POST", **changed: str | None) -> Answer:
        data, bound_to = self._sealed_request(path, body, method, changed)
        answer = await exchange(self.port, data)
        assert answer is not None, "the daemon closed without an answer"
        return self.browser.open(answer, bound_to) if self.browser and bound_to else answer

    def unpaired(self, origin: str) -> Post:
        """How a browser that is not paired asks."""

        async def post(path: str, body: Any) -> Answer:
            return await self.post(path, body, origin=origin, authorization=None)

        return post

    def _sealed_request(
        self, path: str, body: bytes, method: str, changed: dict[str, str | None]
    ) -> tuple[bytes, str | None]:
        """The bytes, and what the answer is bound to (None: it comes in clear)."""
        bound_to: str | None = None
        if self.browser is not None and "authorization" not in changed:
            header, bound_to = self.browser.authorization(path)
            changed = {**changed, "authorization": header}
            # An announced length and no body: the test is about one that does not come.
            if method == "POST" and (body or "content_length" not in changed):
                body = self.browser.seal(body, bound_to)
        headers = self.headers(path, **changed)
        if "content_length" not in changed and "transfer_encoding" not in changed:
            headers["Content-Length"] = str(len(body))
        return request_bytes(path, headers.items(), body, method=method), bound_to

    async def post(self, path: str, body: Any, **changed: str | None) -> Answer:
        return await self.send(path, json.dumps(body).encode(), **changed)

    async def detect(self, text: str, **changed: str | None) -> Answer:
        return await self.post(DETECT, {"text": text}, **changed)


def without(*rules: Rule) -> tuple[Rule, ...]:
    """The gate's rules less some: what an attack meets when that rule is off."""
    return tuple(rule for rule in RULES if rule not in rules)


@asynccontextmanager
async def running(
    folder: Path,
    *,
    detector: Detector | None = None,
    lane: Lane | None = None,
    rules: Sequence[Rule] = RULES,
    open_profile: OpenProfile | None = None,
    head_deadline_s: float = HEAD_DEADLINE_S,
    pairing: PairingService | None = None,
    with_door: bool = WITH_DOOR,
    **settings: Any,
) -> AsyncIterator[RunningDaemon]:
    """Serve until the context closes. Without `lane`, `detector` (or a small one) runs in a thread.

    A browser is paired with it, unless the test brings its own `pairing` or nobody is asked who it is.
    """
    sock = bind("127.0.0.1", 0)
    port: int = sock.getsockname()[1]
    chosen = Settings(port=port, state_dir=folder, **settings)
    used = detector or SmallDetector()

    @asynccontextmanager
    async def open_lane() -> AsyncIterator[Lane]:
        opened = lane or ThreadLane(used, queue_size=chosen.queue_size, deadline_s=chosen.detect_deadline_s)
        try:
            yield opened
        finally:
            await opened.close()

    service = pairing or PairingService(PairingFile(folder))
    deps = Deps(open_lane, service) if open_profile is None else Deps(open_lane, service, open_profile)
    app = create_app(chosen, deps)
    policy = make_policy(chosen, service)
    is_asked = authorization in rules and pairing is None
    if is_asked and not _PAIRED_BEFORE:
        _PAIRED_BEFORE.append(await _paired(service))
    elif is_asked:
        service.store.add(_PAIRED_BEFORE[0].pairing, label="Chrome", created_ms=0)
    async with serving(
        app,
        sock,
        policy,
        max_connections=chosen.max_connections,
        rules=rules,
        head_deadline_s=head_deadline_s,
        with_door=with_door,
    ):
        yield RunningDaemon(port, used, _PAIRED_BEFORE[0].browser if is_asked else None)


@dataclass(frozen=True)
class _PairedBefore:
    browser: Browser
    pairing: Pairing


_PAIRED_BEFORE: list[_PairedBefore] = []
"""The first daemon of a test run is paired step by step; those that follow know that browser already."""


async def _paired(service: PairingService) -> _PairedBefore:
    """By the steps themselves, without a connection: tests count those."""

    async def post(path: str, body: Any) -> Answer:
        nonce = as_bytes(body["nonce"])
        if path == HELLO:
            hello = service.hello(EXTENSION, as_bytes(body["pub"]), nonce)
            said = {"pub": encode(hello.daemon_point), "nonce": encode(hello.daemon_nonce)}
        else:
            done = await service.finish(EXTENSION, nonce, as_bytes(body["mac"]), label="Chrome on Linux")
            said = {"kid": done.pairing.kid, "mac": encode(done.proof)}
        return Answer(200, {}, json.dumps(said).encode(), False)

    window = service.open_window(Terminal())
    answer, browser = await pair(post, window.code, EXTENSION)
    service.shut_window(window)
    assert browser is not None, answer
    pairing = service.store.find(browser.kid)
    assert pairing is not None
    return _PairedBefore(browser, pairing)
