"""Pairing under attack: windows, codes, origins, bad keys. Beside each refusal a pairing that works."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.daemon import EXTENSION, FIREFOX_EXTENSION, STATUS, RunningDaemon, running
from harness.paired_client import FINISH, HELLO, PairedClient, Terminal, paired, try_pairing
from limen_daemon.pairing.agreement import new_private_key, point_of
from limen_daemon.pairing.code import new_code
from limen_daemon.pairing.encoding import encode
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.pairing.window import OPEN_S, TRIES

GOOD_NONCE = encode(bytes(16))


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> PairingService:
    return PairingService(PairingFile(tmp_path / "state"), clock=clock)


@pytest.fixture
async def daemon(tmp_path: Path, service: PairingService) -> AsyncIterator[RunningDaemon]:
    async with running(tmp_path / "state", pairing=service) as started:
        yield started


@pytest.mark.parametrize("origin", [EXTENSION, FIREFOX_EXTENSION])
async def test_a_browser_with_the_code_is_paired_and_served(
    daemon: RunningDaemon, service: PairingService, origin: str
) -> None:
    terminal = Terminal()
    window = service.open_window(terminal)
    attempt = await try_pairing(daemon, window.code, origin=origin)
    assert attempt.client is not None
    assert (terminal.asked, len(terminal.pairings)) == ([origin], 1)
    answer = await attempt.client.post(STATUS, {})
    assert answer.json()["checked_by"] == "patterns"


async def test_pair_closed(daemon: RunningDaemon, bodies_read: list[str]) -> None:
    attempt = await try_pairing(daemon, new_code())
    assert (attempt.answer.status, attempt.answer.json()) == (403, {"error": "pairing_closed"})
    assert bodies_read == []


async def test_pair_wrong_5(daemon: RunningDaemon, service: PairingService) -> None:
    terminal = Terminal()
    window = service.open_window(terminal)
    answers = [(await try_pairing(daemon, new_code())).answer for _ in range(TRIES)]
    assert [answer.status for answer in answers] == [403] * TRIES
    assert [answer.json() for answer in answers] == [
        {"error": "code_wrong", "left": n} for n in (4, 3, 2, 1, 0)
    ]
    attempt = await try_pairing(daemon, window.code)
    assert attempt.answer.json() == {"error": "pairing_closed"}
    assert (terminal.has_ended, terminal.pairings, list(service.store.all())) == (True, [], [])


async def test_pair_wrong_4_control(daemon: RunningDaemon, service: PairingService) -> None:
    """The control: after four wrong codes the right one still pairs."""
    window = service.open_window(Terminal())
    for _ in range(TRIES - 1):
        await try_pairing(daemon, new_code())
    assert (await try_pairing(daemon, window.code)).client is not None


async def test_wrong_codes_at_once_cost_a_try_each(daemon: RunningDaemon, service: PairingService) -> None:
    window = service.open_window(Terminal())
    attempts = await asyncio.gather(*(try_pairing(daemon, new_code()) for _ in range(TRIES - 1)))
    assert [attempt.answer.json()["error"] for attempt in attempts] == ["code_wrong"] * (TRIES - 1)
    assert (await try_pairing(daemon, new_code())).answer.json() == {"error": "code_wrong", "left": 0}
    assert not window.is_open


@pytest.mark.parametrize(
    ("after_s", "is_paired"), [(OPEN_S - 1, True), (OPEN_S, False), (OPEN_S + 600, False)]
)
async def test_pair_expired(
    daemon: RunningDaemon, service: PairingService, clock: Clock, after_s: float, is_paired: bool
) -> None:
    window = service.open_window(Terminal())
    clock.now_s += after_s
    attempt = await try_pairing(daemon, window.code)
    assert (attempt.client is not None) == is_paired
    if not is_paired:
        assert attempt.answer.json() == {"error": "pairing_closed"}


async def test_a_code_works_once(daemon: RunningDaemon, service: PairingService) -> None:
    window = service.open_window(Terminal())
    assert (await try_pairing(daemon, window.code)).client is not None
    second = await try_pairing(daemon, window.code)
    assert second.answer.json() == {"error": "pairing_closed"}


async def test_a_new_window_shuts_the_old_one(daemon: RunningDaemon, service: PairingService) -> None:
    first_terminal = Terminal()
    first = service.open_window(first_terminal)
    second = service.open_window(Terminal())
    assert first_terminal.has_ended
    assert (await try_pairing(daemon, first.code)).client is None
    assert (await try_pairing(daemon, second.code)).client is not None


@pytest.mark.parametrize("origin", ["https://evil.test", "null", None, "chrome-extension://" + "z" * 32])
async def test_pair_web_origin(
    daemon: RunningDaemon, service: PairingService, bodies_read: list[str], origin: str | None
) -> None:
    window = service.open_window(Terminal())
    asked = {"v": 1, "pub": encode(point_of(new_private_key())), "nonce": GOOD_NONCE}
    for path in (HELLO, FINISH):
        answer = await daemon.post(path, asked, origin=origin, authorization=None)
        assert (answer.status, answer.body) == (403, b"")
    assert bodies_read == []
    wrong = await try_pairing(daemon, new_code())  # no try was lost to them
    assert wrong.answer.json() == {"error": "code_wrong", "left": TRIES - 1}
    assert (await try_pairing(daemon, window.code)).client is not None


def _points() -> dict[str, bytes]:
    good = point_of(new_private_key())
    return {
        "off the curve": good[:-1] + bytes([good[-1] ^ 1]),
        "identity": b"\x00",
        "zero": b"\x04" + bytes(64),
        "short": good[:-1],
        "long": good + b"\x00",
        "compressed": b"\x02" + good[1:33],
        "no prefix": good[1:],
        "out of range": b"\x04" + b"\xff" * 64,
    }


@pytest.mark.parametrize("name", _points())
async def test_pair_bad_point(daemon: RunningDaemon, service: PairingService, name: str) -> None:
    window = service.open_window(Terminal())
    asked = {"v": 1, "pub": encode(_points()[name]), "nonce": GOOD_NONCE}
    answer = await daemon.post(HELLO, asked, authorization=None)
    assert (answer.status, answer.json()) == (400, {"error": "pairing"})
    assert window.is_open
    assert (await try_pairing(daemon, window.code)).client is not None


async def test_a_proof_without_a_hello_pairs_nobody(daemon: RunningDaemon, service: PairingService) -> None:
    window = service.open_window(Terminal())
    answer = await daemon.post(FINISH, {"nonce": GOOD_NONCE, "mac": "A" * 43}, authorization=None)
    assert (answer.status, answer.json()) == (403, {"error": "pairing_closed"})
    assert window.is_open


async def test_pending_hellos_are_few(daemon: RunningDaemon, service: PairingService) -> None:
    window = service.open_window(Terminal())
    for number in range(7):
        asked = {"v": 1, "pub": encode(point_of(new_private_key())), "nonce": encode(bytes([number] * 16))}
        assert (await daemon.post(HELLO, asked, authorization=None)).status == 200
    assert len(window._pending) == 4


async def test_pairing_steps_are_rationed(daemon: RunningDaemon, service: PairingService) -> None:
    service.open_window(Terminal())
    asked = {"v": 1, "pub": encode(point_of(new_private_key())), "nonce": GOOD_NONCE}
    statuses = []
    while 429 not in statuses and len(statuses) < 200:
        statuses.append((await daemon.post(HELLO, asked, authorization=None)).status)
    assert set(statuses) == {200, 429}


async def test_pair_too_big(daemon: RunningDaemon, service: PairingService, bodies_read: list[str]) -> None:
    service.open_window(Terminal())
    answer = await daemon.send(HELLO, b"", authorization=None, content_length="8193")
    assert (answer.status, answer.json(), bodies_read) == (413, {"error": "size"}, [])


async def test_an_extension_the_user_refuses_is_not_paired(
    daemon: RunningDaemon, service: PairingService
) -> None:
    terminal = Terminal(says=False)
    window = service.open_window(terminal)
    attempt = await try_pairing(daemon, window.code)
    assert attempt.answer.json() == {"error": "pairing_closed"}
    assert (terminal.asked, list(service.store.all())) == ([EXTENSION], [])


async def test_the_shipped_extension_is_not_asked_about(tmp_path: Path) -> None:
    service = PairingService(PairingFile(tmp_path / "state"), known_origins=frozenset({EXTENSION}))
    async with running(tmp_path / "state", pairing=service) as daemon:
        terminal = Terminal(says=False)
        window = service.open_window(terminal)
        assert (await try_pairing(daemon, window.code)).client is not None
        assert terminal.asked == []


async def test_revoked(daemon: RunningDaemon, service: PairingService) -> None:
    client, other = await paired(daemon, service), await paired(daemon, service, origin=FIREFOX_EXTENSION)
    assert (await client.post(STATUS, {})).status == 200
    assert service.unpair([client.kid]) == 1
    answer = await client.post(STATUS, {})
    assert (answer.status, answer.json()) == (401, {"error": "auth"})
    assert (await other.post(STATUS, {})).status == 200


async def test_pairings_outlive_the_daemon(tmp_path: Path) -> None:
    service = PairingService(PairingFile(tmp_path / "state"))
    async with running(tmp_path / "state", pairing=service) as daemon:
        client = await paired(daemon, service)
    async with running(tmp_path / "state") as again:
        client = PairedClient(again, client.kid, client.keys)
        assert (await client.post(STATUS, {})).status == 200


@pytest.mark.parametrize(
    "path", ["/v1/pair/open", "/v1/pair/approve", "/v1/unpair", "/v1/rotate", "/v1/model/add"]
)
async def test_scope(daemon: RunningDaemon, service: PairingService, path: str) -> None:
    """What belongs to the command line has no route at all."""
    client = await paired(daemon, service)
    service.open_window(Terminal())
    assert (await client.post(path, {})).status in (400, 404)
    assert (await daemon.post(path, {}, authorization=None)).status in (401, 404)
