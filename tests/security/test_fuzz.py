"""Random requests at a running daemon. A short run by default; `--hypothesis-profile=long` for a long one."""

from __future__ import annotations

import asyncio
import json
import math
import re
import socket
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.daemon import DETECT, STATUS, RunningDaemon, running
from harness.raw_http import request_bytes

PATIENCE_S = 30.0
STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
TEXT_CHARACTERS = 8
SENT: dict[str, list[tuple[str, str]]] = {}
"""The headers that each text of `test_fuzz_heads` came with."""
GOOD: dict[str, dict[str, str]] = {}
"""Those that it should have come with."""


def _body(text: str) -> bytes:
    return json.dumps({"text": text}).encode()


def _sealed_bytes(clear: bytes) -> int:
    """The length of a sealed body: base64url without padding of the text and its tag, in an object."""
    return len('{"box": ""}') + math.ceil((len(clear) + 16) * 8 / 6)


BODY_BYTES = _sealed_bytes(_body("x" * TEXT_CHARACTERS))


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDaemon]:
    """One daemon for all examples, in a loop of its own thread."""
    started: list[RunningDaemon] = []
    ready, stop = threading.Event(), threading.Event()

    async def main() -> None:
        folder = tmp_path_factory.mktemp("fuzz") / "state"
        async with running(folder, rate_per_s=1000, rate_burst=1000) as opened:
            started.append(opened)
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    assert ready.wait(PATIENCE_S)
    yield started[0]
    stop.set()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def send(port: int, data: bytes) -> bytes:
    """Send `data`, end the sending side, and read until the daemon closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as sock:
        received = b""
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            while part := sock.recv(65536):
                received += part
        except ConnectionError:
            pass
        return received


def statuses(received: bytes) -> set[int]:
    return {int(code) for code in STATUS_LINE.findall(received)}


def is_alive(daemon: RunningDaemon) -> bool:
    """A sealed answer is one of the daemon's own."""
    head = daemon.request(STATUS, b"{}", connection="close")
    return b'{"n":"' in _exchange(daemon.port, head)


def _exchange(port: int, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as sock:
        sock.sendall(data)
        received = b""
        while part := sock.recv(65536):
            received += part
        return received


WORDS = (
    "POST|GET| |/|/v1/detect|HTTP/1.1|\r\n|\n|\r|:|\x00|Host|Origin|"
    "Content-Length|Transfer-Encoding|chunked|0|Upgrade|Expect|100-continue"
)
TOKENS = st.sampled_from([word.encode() for word in WORDS.split("|")])


@given(st.lists(TOKENS | st.binary(max_size=12), max_size=24).map(b"".join))
def test_fuzz_bytes(daemon: RunningDaemon, data: bytes) -> None:
    """Whatever bytes come, the answer is a refusal without an echo, or a closed connection."""
    received = send(daemon.port, data + b"\r\n\r\n")
    assert statuses(received) <= {400, 403, 405, 421}
    assert received.count(b"\r\n\r\n") == len(STATUS_LINE.findall(received))
    assert daemon.texts == []
    assert is_alive(daemon)


@st.composite
def mutated_heads(draw: st.DrawFn) -> list[tuple[str, str]]:
    """The good headers with some changed, doubled, left out or moved. Placeholders are filled in later."""
    headers = [("Host", "{host}"), ("Origin", "{origin}"), ("Authorization", "{authorization}")]
    headers += [("Content-Type", "application/json"), ("Content-Length", str(BODY_BYTES))]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(headers) - 1))
        name, value = headers[at]
        change = draw(st.sampled_from(["drop", "double", "value", "name", "add"]))
        text = draw(st.text(st.characters(codec="latin-1", exclude_characters="\r\n{}"), max_size=12))
        if change == "drop" and len(headers) > 1:
            del headers[at]
        elif change == "double":
            headers.insert(draw(st.integers(0, len(headers))), (name, value))
        elif change == "value":
            headers[at] = (name, draw(st.sampled_from([value + text, text + value, text, value.upper()])))
        elif change == "name":
            headers[at] = (draw(st.sampled_from([name + " ", " " + name, name + text, name[:-1]])), value)
        else:
            extra = draw(
                st.sampled_from(["Transfer-Encoding", "Expect", "Upgrade", "Content-Encoding", "X-" + text])
            )
            headers.append(
                (extra, draw(st.sampled_from(["chunked", "100-continue", "websocket", "gzip", text])))
            )
    return headers


def _filled(value: str, good: dict[str, str]) -> str:
    for name in ("Host", "Origin", "Authorization"):
        value = value.replace(f"{{{name.lower()}}}", good[name])
        value = value.replace(f"{{{name.upper()}}}", good[name].upper())
    return value


@given(mutated_heads())
def test_fuzz_heads(daemon: RunningDaemon, headers: list[tuple[str, str]]) -> None:
    """A text reaches the detector only if host, origin and credential are each there once, exactly."""
    text = f"{len(SENT):0{TEXT_CHARACTERS}}"
    header, body = daemon.sealed(DETECT, _body(text))
    assert len(body) == BODY_BYTES
    good = daemon.headers(authorization=header)
    GOOD[text] = good
    filled = [(name, _filled(value, good)) for name, value in headers]
    SENT[text] = filled
    received = send(daemon.port, request_bytes(DETECT, filled, body))
    assert not {code for code in statuses(received) if code >= 500}
    # A text may arrive after its caller has gone: each one is judged by the headers that it came with.
    while daemon.texts:
        arrived = daemon.texts.pop()
        came_with, good = SENT[arrived], GOOD[arrived]
        for wanted in ("Host", "Origin", "Authorization"):
            values = [
                value.strip(" \t") for name, value in came_with if name.strip().lower() == wanted.lower()
            ]
            assert values == [good[wanted]], wanted
    assert is_alive(daemon)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["text", "site", "context", "x"]), inner)
        ),
        max_leaves=12,
    ),
    st.booleans(),
)
def test_fuzz_json(daemon: RunningDaemon, value: object, is_ascii: bool) -> None:
    """Any JSON at all is checked or refused, never a fault."""
    body = json.dumps(value, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    received = _exchange(daemon.port, daemon.request(DETECT, body, connection="close"))
    assert statuses(received) <= {200, 422}


@given(st.binary(max_size=200))
def test_fuzz_bodies(daemon: RunningDaemon, body: bytes) -> None:
    received = _exchange(daemon.port, daemon.request(DETECT, body, connection="close"))
    assert statuses(received) <= {200, 422}
