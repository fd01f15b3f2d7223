"""`limen up` as a program."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import pytest

from harness.daemon import DETECT, EXTENSION, STATUS
from harness.program import PATIENCE_S, call, free_port, limen, up
from harness.raw_http import exchange, request_bytes
from limen_daemon.old_token import delete_old_token
from limen_daemon.private_files import create_private, make_private_folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_daemon_answers_a_paired_browser_and_stops_cleanly(
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


async def test_the_token_of_an_earlier_version_is_deleted_at_the_start(tmp_path: Path) -> None:
    state, port = make_private_folder(tmp_path / "state"), free_port()
    create_private(state / "token", b"t" * 43)
    async with up(tmp_path, port):
        assert not (state / "token").exists()
        headers = {
            "Host": f"127.0.0.1:{port}",
            "Origin": EXTENSION,
            "Authorization": "Bearer " + "t" * 43,
            "Content-Type": "application/json",
            "Content-Length": "2",
        }
        answer = await exchange(port, request_bytes(STATUS, headers.items(), b"{}"))
    assert answer is not None
    assert (answer.status, answer.body) == (401, b'{"error": "auth"}')


def test_a_link_in_the_tokens_place_goes_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    (tmp_path / "token").symlink_to(tmp_path / "other")
    assert delete_old_token(tmp_path)
    assert not (tmp_path / "token").is_symlink()
    assert (tmp_path / "other").read_text() == "x"
    assert not delete_old_token(tmp_path)
