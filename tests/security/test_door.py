"""The door before aiohttp: it refuses cheaply, never what the gate would serve, and in the same words."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.daemon import DETECT, EXTENSION, STATUS, WITH_DOOR, RunningDaemon, running, without
from harness.raw_http import Answer, close, exchange, read_answer, request_bytes
from limen_daemon.gate import door, rules
from limen_daemon.gate.head import MAX_HEAD_BYTES, read_head
from limen_daemon.gate.protocol import GateProtocol

pytestmark = pytest.mark.skipif(not WITH_DOOR, reason="this system's event loop cannot watch a socket")
BODY = b'{"text":"my 3 year old"}'
PATIENCE_S = 30.0


@pytest.fixture
def protocols(monkeypatch: pytest.MonkeyPatch) -> list[GateProtocol]:
    """Grows by each connection that aiohttp gets to see."""
    seen: list[GateProtocol] = []
    made = GateProtocol.connection_made

    def counted(self: GateProtocol, transport: asyncio.BaseTransport) -> None:
        seen.append(self)
        made(self, transport)

    monkeypatch.setattr(GateProtocol, "connection_made", counted)
    return seen


def said(answer: Answer | None) -> tuple[int, dict[str, str], bytes, bool]:
    """An answer without its date."""
    assert answer is not None
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    # An empty body needs no type; aiohttp gives it one all the same.
    if not answer.body:
        headers.pop("content-type", None)
    return answer.status, headers, answer.body, answer.is_closed


REFUSED: dict[str, dict[str, str | None]] = {
    "421": {"host": "evil.test"},
    "403": {"origin": "https://evil.test"},
    "403 none": {"origin": None},
    "401": {"authorization": "PSK1 kid=x"},
    "401 none": {"authorization": None},
    "401 unknown": {"authorization": "Basic x"},
}


@pytest.mark.parametrize("changed", REFUSED.values(), ids=REFUSED)
async def test_a_refusal_at_the_door_is_the_gates_word_for_word(
    tmp_path: Path, protocols: list[GateProtocol], changed: dict[str, str | None]
) -> None:
    async with (
        running(tmp_path / "with") as with_door,
        running(tmp_path / "without", with_door=False) as plain,
    ):
        protocols.clear()
        early = await with_door.send(DETECT, BODY, **changed)
        assert protocols == [], "aiohttp saw the connection"
        late = await plain.send(DETECT, BODY, **changed)
        assert len(protocols) == 1
    assert said(early) == said(late)
    assert (with_door.calls, plain.calls) == (0, 0)


async def test_what_may_be_served_goes_through_to_the_gate(
    daemon: RunningDaemon, protocols: list[GateProtocol]
) -> None:
    data = daemon.request(STATUS, b"{}")
    answers = [await exchange(daemon.port, data) for _ in range(2)]
    # The door only looked at the number: it was still fresh when the gate saw it, and stale the second time.
    assert [answer.status for answer in answers if answer] == [200, 401]
    assert len(protocols) == 2


async def test_a_rule_that_is_off_is_off_at_the_door_too(tmp_path: Path) -> None:
    async with running(tmp_path, rules=without(rules.host, rules.origin, rules.authorization)) as daemon:
        answer = await daemon.send(
            DETECT, BODY, host="evil.test", origin="https://evil.test", authorization=None
        )
    assert answer.status == 200


async def test_a_caller_that_still_sends_its_body_reads_why_it_was_refused(daemon: RunningDaemon) -> None:
    body = b"x" * 200_000
    data = daemon.request(DETECT, body, authorization=None)
    for _ in range(20):
        answer = await exchange(daemon.port, data)
        assert answer is not None
        assert answer.status == 401


async def test_a_head_that_comes_in_two_parts_is_served(daemon: RunningDaemon) -> None:
    data = daemon.request(STATUS, b"{}")
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    await asyncio.sleep(0.05)  # accepted, with nothing said yet
    writer.write(data[:30])
    await asyncio.sleep(0.05)
    writer.write(data[30:])
    answer = await read_answer(reader)
    assert answer is not None
    assert answer.status == 200
    await close(writer)


async def test_the_deadline_of_a_head_counts_from_the_connections_beginning(tmp_path: Path) -> None:
    """Silence first and half a head then is one wait, not two."""
    async with running(tmp_path, head_deadline_s=1.0) as daemon:
        loop = asyncio.get_running_loop()
        began = loop.time()
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
        await asyncio.sleep(0.7)
        writer.write(b"POST /v1/det")
        async with asyncio.timeout(PATIENCE_S):
            assert await reader.read() == b""
        assert 0.9 < loop.time() - began < 1.6
        await close(writer)


async def test_silent_connections_count_before_they_speak(tmp_path: Path) -> None:
    """The cap holds for those at the door as well: the oldest goes."""
    async with running(tmp_path, max_connections=4) as daemon:
        held = [await asyncio.open_connection("127.0.0.1", daemon.port) for _ in range(6)]
        assert (await daemon.post(STATUS, {})).status == 200
        for reader, _ in held[:2]:
            async with asyncio.timeout(PATIENCE_S):
                with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                    await reader.readexactly(1)
        for _, writer in held:
            await close(writer)


@pytest.mark.parametrize(("how", "expected"), [("evict", b"HTTP/1.1 200 "), ("abort", b"")])
async def test_who_has_to_make_room_is_heard_first(
    daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch, how: str, expected: bytes
) -> None:
    """A paired browser that is pushed out between its connection and its first look is served. The control:
    closed without a look, it is not."""
    waiting: list[door._Visitor] = []
    came = asyncio.Event()
    wait = door.Door._wait

    def watched(self: door.Door, visitor: door._Visitor) -> None:
        wait(self, visitor)
        waiting.append(visitor)
        came.set()

    monkeypatch.setattr(door.Door, "_wait", watched)
    with socket.create_connection(("127.0.0.1", daemon.port)) as ours:
        ours.setblocking(False)
        async with asyncio.timeout(PATIENCE_S):
            await came.wait()
            ours.send(daemon.request(STATUS, b"{}"))
            getattr(waiting[0], how)()
            answer = b""
            with suppress(ConnectionError):
                answer = await asyncio.get_running_loop().sock_recv(ours, len(b"HTTP/1.1 200 "))
    assert answer == expected


async def test_a_caller_that_leaves_at_once_costs_nothing(
    daemon: RunningDaemon, protocols: list[GateProtocol]
) -> None:
    for _ in range(50):
        _, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
        await close(writer)
    with socket.create_connection(("127.0.0.1", daemon.port)) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # leaves with a reset
    assert (await daemon.post(STATUS, {})).status == 200
    assert len(protocols) == 1


async def test_out_of_open_files_is_a_pause_and_not_an_end(
    daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "OUT_OF_FILES_PAUSE_S", 0.2)
    accept = socket.socket.accept
    left = [2]

    def failing(self: socket.socket) -> object:
        if left[0]:
            left[0] -= 1
            raise OSError(24, "Too many open files")
        return accept(self)

    monkeypatch.setattr(socket.socket, "accept", failing)
    assert (await daemon.post(STATUS, {})).status == 200
    assert left == [0]


async def test_a_stop_drops_those_who_wait_at_the_door(tmp_path: Path) -> None:
    async with running(tmp_path) as daemon:
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
        await daemon.post(STATUS, {})
    async with asyncio.timeout(PATIENCE_S):
        with suppress(ConnectionError):
            assert await reader.read() == b""
    await close(writer)


@pytest.mark.parametrize(
    "head",
    [
        b"POST /v1/detect HTTP/1.1\r\nHost: a\r\n",
        b"POST /v1/detect HTTP/1.0\r\nHost: a\r\n\r\n",
        b"POST http://evil.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /v1/detect HTTP/1.1\nHost: a\n\n",
        b"POST /v1/detect HTTP/1.1\r\nHost : a\r\n\r\n",
        b"POST /v1/detect HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        b"POST /v1/detect HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"POST /v1/detect HTTP/1.1\r\nHost: a\x00\r\n\r\n",
        b"POST /" + b"a" * MAX_HEAD_BYTES + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x16\x03\x01\x00",
    ],
    ids=range(10),
)
def test_an_odd_head_is_left_to_aiohttp(head: bytes) -> None:
    assert read_head(head[:MAX_HEAD_BYTES]) is None


NAMES = st.sampled_from(
    ["Host", "host", "Origin", "Authorization", "Content-Length", "Content-Type", "X-A", "Expect", "Upgrade"]
)
VALUES = st.sampled_from(
    ["{host}", EXTENSION, "https://evil.test", "null", "", "Bearer x", "PSK1 kid=x", "24", "0"]
) | st.text(st.characters(codec="latin-1", exclude_characters="\r\n{}"), max_size=8)


@pytest.fixture(scope="module")
def two_daemons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningDaemon, RunningDaemon]]:
    """One with the door and one without, in a loop of their own thread."""
    started: list[RunningDaemon] = []
    ready, stop = threading.Event(), threading.Event()

    async def main() -> None:
        folder = tmp_path_factory.mktemp("door")
        async with (
            running(folder / "a", rate_per_s=1000, rate_burst=1000) as first,
            running(folder / "b", rate_per_s=1000, rate_burst=1000, with_door=False) as second,
        ):
            started.extend((first, second))
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    assert ready.wait(PATIENCE_S)
    yield started[0], started[1]
    stop.set()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@given(
    st.sampled_from(["POST", "GET", "HEAD", "OPTIONS", "PUT", "post"]),
    st.sampled_from([DETECT, "/", "/v1/pair/hello", "/v1/nothing", "*", "//evil.test/", "/\x7f"]),
    st.lists(st.tuples(NAMES, VALUES), max_size=6),
)
@example("POST", DETECT, [("Host", "{host}"), ("Origin", EXTENSION)])
@example("HEAD", DETECT, [("Host", "{host}")])
def test_fuzz_the_door_says_what_the_gate_says(
    two_daemons: tuple[RunningDaemon, RunningDaemon],
    method: str,
    path: str,
    headers: list[tuple[str, str]],
) -> None:
    answers = []
    for daemon in two_daemons:
        filled = [(name, value.replace("{host}", f"127.0.0.1:{daemon.port}")) for name, value in headers]
        filled.append(("Connection", "close"))
        answers.append(_all_bytes(daemon.port, request_bytes(path, filled, method=method)))
    first, second = (_normal(answer) for answer in answers)
    # What aiohttp finds malformed (a field twice, say) it refuses by itself, before any rule.
    assert first == second or (first[0].startswith(b"HTTP/1.1 4") and second[0].startswith(b"HTTP/1.0 400"))
    assert all(daemon.calls == 0 for daemon in two_daemons)


def _all_bytes(port: int, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as sock:
        sock.sendall(data)
        received = b""
        with suppress(ConnectionError):
            while part := sock.recv(65536):
                received += part
        return received


def _normal(answer: bytes) -> tuple[bytes, frozenset[bytes], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    # aiohttp writes a date, a type for nothing, and no length for HEAD.
    odd = (b"Date:", b"Content-Type: application/octet-stream", b"Content-Length: 0")
    return first, frozenset(line.rstrip() for line in lines if not line.startswith(odd)), body


def test_the_rules_of_the_head_are_the_first_of_all_rules() -> None:
    """The door asks them in the gate's order, so that a caller learns the same from both."""
    assert rules.RULES[: len(rules.RULES_OF_THE_HEAD)] == rules.RULES_OF_THE_HEAD
    assert rules.RULES[len(rules.RULES_OF_THE_HEAD)] is rules.authorization
