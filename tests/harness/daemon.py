"""A daemon in the test's own event loop, on a free port, behind the real gate."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.raw_http import Answer, exchange, request_bytes
from harness.small_detector import SmallDetector
from limen_daemon.app import Deps, OpenProfile, create_app
from limen_daemon.detector.protocol import Detector
from limen_daemon.gate.protocol import HEAD_DEADLINE_S
from limen_daemon.gate.rules import RULES, Rule
from limen_daemon.lanes.protocol import Lane
from limen_daemon.lanes.thread import ThreadLane
from limen_daemon.lifecycle import make_policy
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.server import bind, serving
from limen_daemon.settings import Settings

TOKEN = "t" * 43
EXTENSION = "chrome-extension://" + "abcdefghijklmnop" * 2
FIREFOX_EXTENSION = "moz-extension://0a1b2c3d-0000-4000-8000-00000000beef"
STATUS, DETECT = "/v1/status", "/v1/detect"


@dataclass(frozen=True)
class RunningDaemon:
    port: int
    detector: Detector
    token: str = TOKEN

    @property
    def calls(self) -> int:
        """How many texts have reached the detector."""
        return len(self.texts)

    @property
    def texts(self) -> list[str]:
        """The texts that have reached the detector."""
        assert isinstance(self.detector, SmallDetector)
        return self.detector.texts

    def headers(self, **changed: str | None) -> dict[str, str]:
        """The headers of a good request, with some changed (`content_type=...`) or, by None, left out."""
        good: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": EXTENSION,
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
        }
        good.update({name.replace("_", "-").title(): value for name, value in changed.items()})
        return {name: value for name, value in good.items() if value is not None}

    def request(self, path: str, body: bytes, *, method: str = "POST", **changed: str | None) -> bytes:
        headers = self.headers(**changed)
        if "content_length" not in changed and "transfer_encoding" not in changed:
            headers["Content-Length"] = str(len(body))
        return request_bytes(path, headers.items(), body, method=method)

    async def send(self, path: str, body: bytes, *, method: str = "POST", **changed: str | None) -> Answer:
        answer = await exchange(self.port, self.request(path, body, method=method, **changed))
        assert answer is not None, "the daemon closed without an answer"
        return answer

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
    **settings: Any,
) -> AsyncIterator[RunningDaemon]:
    """Serve until the context closes. Without `lane`, `detector` (or a small one) runs in a thread."""
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
    policy = make_policy(chosen, TOKEN, service)
    async with serving(
        app,
        sock,
        policy,
        max_connections=chosen.max_connections,
        rules=rules,
        head_deadline_s=head_deadline_s,
    ):
        yield RunningDaemon(port, used)
