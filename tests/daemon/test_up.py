"""`limen up` and `limen token` as programs."""

from __future__ import annotations

import asyncio
import signal
import socket
import stat
from pathlib import Path

import pytest

from harness.daemon import DETECT, STATUS
from harness.program import PATIENCE_S, call, free_port, limen, up


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_daemon_answers_with_its_own_token_and_stops_cleanly(
    tmp_path: Path, number: signal.Signals
) -> None:
    port = free_port()
    async with up(tmp_path, port) as process:
        answer = await call(tmp_path, port, STATUS, b"{}")
        assert answer.status == 200
        process.send_signal(number)
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0
    with socket.socket() as sock:
        assert sock.connect_ex(("127.0.0.1", port)) != 0


async def test_the_daemon_checks_a_text_with_the_detector_it_names(tmp_path: Path) -> None:
    port = free_port()
    async with up(tmp_path, port):
        status = (await call(tmp_path, port, STATUS, b"{}")).json()
        answer = await call(tmp_path, port, DETECT, b'{"text":"my email is ann.holm@gmail.com"}')
    if status["detector"] is None:
        assert (answer.status, answer.json()) == (503, {"error": "detector_off"})
    else:
        assert answer.status == 200
        assert answer.json()["checked_by"] == status["checked_by"]
        assert "ann.holm@gmail.com" in [finding["phrase"] for finding in answer.json()["findings"]]


async def test_a_model_that_is_not_there_leaves_a_daemon_that_serves_and_says_so(tmp_path: Path) -> None:
    port = free_port()
    async with up(tmp_path, port, LIMEN_MODEL="no-such-model"):
        status = (await call(tmp_path, port, STATUS, b"{}")).json()
    assert status["checked_by"] in ("patterns", "none")


async def test_a_second_daemon_says_that_the_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = limen(tmp_path, "up", LIMEN_PORT=str(port))
    assert done.returncode == 69
    assert f"port {port} on 127.0.0.1 is used by another program" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LIMEN_HOST", "0.0.0.0"),
        ("LIMEN_PROT", "1"),
        ("PYTHONASYNCIODEBUG", "1"),
        ("PYTHONDEVMODE", "1"),
        ("AIOHTTP_NO_EXTENSIONS", "1"),
    ],
)
def test_a_setting_that_cannot_be_kept_is_one_clear_sentence(tmp_path: Path, name: str, value: str) -> None:
    done = limen(tmp_path, "up", **{"LIMEN_PORT": str(free_port()), name: value})
    assert done.returncode == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_limen_token_prints_one_token_and_keeps_it_private(tmp_path: Path) -> None:
    first = limen(tmp_path, "token")
    assert first.returncode == 0
    assert first.stdout == limen(tmp_path, "token").stdout
    path = tmp_path / "state" / "token"
    assert path.read_text() == first.stdout.strip()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert limen(tmp_path, "token", "--new").stdout != first.stdout


def test_a_token_that_others_may_read_is_refused(tmp_path: Path) -> None:
    limen(tmp_path, "token")
    (tmp_path / "state" / "token").chmod(0o644)
    done = limen(tmp_path, "token")
    assert done.returncode == 1
    assert "chmod 600" in done.stderr
