"""`limen pair` and `limen unpair` as programs, and the socket they use."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from harness.daemon import EXTENSION, FIREFOX_EXTENSION, STATUS, RunningDaemon, running
from harness.paired_client import Attempt, try_pairing
from harness.program import LIMEN, PATIENCE_S, call, environment, free_port, limen, paired_browser, up
from harness.small_detector import SmallDetector
from limen_daemon.gate.origins import SHIPPED_ORIGIN
from limen_daemon.pairing.code import new_code
from limen_daemon.pairing.control import control_channel, is_same_user
from limen_daemon.pairing.messages import StatusLine
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.private_files import make_private_folder

CODE = re.compile(rb"Code: ([0-9A-Z]{5})-([0-9A-Z]{5})\n")


@asynccontextmanager
async def limen_pair(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A `limen pair` that waits, and the code it shows."""
    process = await asyncio.create_subprocess_exec(
        *LIMEN,
        "pair",
        env=environment(folder),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            found = CODE.match(await process.stdout.readline())
        assert found is not None
        yield process, (found[1] + found[2]).decode()
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def described() -> StatusLine:
    return StatusLine(
        version="1", authority="127.0.0.1:1", detector=None, profile="off", browsers=0, in_file=0, locked=0
    )


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon in this process with its control socket, where the programs of `folder` look for it."""
    state = make_private_folder(folder / "state")
    service = PairingService(PairingFile(state), known_origins=frozenset({SHIPPED_ORIGIN}))
    async with control_channel(state, service, described), running(state, pairing=service) as daemon:
        yield daemon


async def _pair(
    folder: Path, daemon: RunningDaemon, *, origin: str, typed: bytes = b""
) -> tuple[Attempt, int | None, str]:
    async with limen_pair(folder) as (process, code):
        attempt = asyncio.create_task(try_pairing(daemon, code, origin=origin))
        _out, err = await process.communicate(typed)
        return await attempt, process.returncode, err.decode()


async def test_the_shipped_extension_pairs_without_a_question(tmp_path: Path) -> None:
    port = free_port()
    async with up(tmp_path, port):
        attempt, code, said = await _pair(
            tmp_path, RunningDaemon(port, SmallDetector()), origin=SHIPPED_ORIGIN
        )
        assert (code, attempt.client is not None) == (0, True)
        assert f"Paired with Browser, {SHIPPED_ORIGIN}" in said
        assert "Allow" not in said
        assert attempt.client is not None
        assert (await attempt.client.post(STATUS, {})).status == 200
    pairings = tmp_path / "state" / "pairings.json"
    assert stat.S_IMODE(pairings.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("typed", "is_paired"), [(b"y\n", True), (b"n\n", False), (b"\n", False), (b"", False)]
)
async def test_an_unknown_extension_needs_a_yes(tmp_path: Path, typed: bytes, is_paired: bool) -> None:
    async with served(tmp_path) as daemon:
        attempt, code, said = await _pair(tmp_path, daemon, origin=FIREFOX_EXTENSION, typed=typed)
        assert (attempt.client is not None) == is_paired
        assert (code == 0) == is_paired
        assert f"Allow the extension {FIREFOX_EXTENSION}" in said


async def test_the_window_goes_with_its_terminal(tmp_path: Path) -> None:
    async with served(tmp_path) as daemon:
        async with limen_pair(tmp_path) as (process, code):
            process.kill()
            await process.wait()
            async with asyncio.timeout(PATIENCE_S):
                while (await try_pairing(daemon, new_code())).answer.json() != {"error": "pairing_closed"}:
                    pass
        assert (await try_pairing(daemon, code)).client is None


async def test_unpair_lists_forgets_and_takes_effect_at_once(tmp_path: Path) -> None:
    async with served(tmp_path) as daemon:
        attempt, _, _ = await _pair(tmp_path, daemon, origin=SHIPPED_ORIGIN)
        client = attempt.client
        assert client is not None
        listed = await asyncio.to_thread(limen, tmp_path, "unpair")
        assert client.kid in listed.stdout
        assert SHIPPED_ORIGIN in listed.stdout
        wrong = await asyncio.to_thread(limen, tmp_path, "unpair", "AAAAAAAAAAAAAAAA")
        assert wrong.returncode == 1
        assert (await client.post(STATUS, {})).status == 200
        done = await asyncio.to_thread(limen, tmp_path, "unpair", client.kid)
        assert (done.returncode, done.stderr) == (0, "Forgotten: 1.\n")
        assert (await client.post(STATUS, {})).status == 401


async def test_unpair_works_while_the_daemon_is_stopped(tmp_path: Path) -> None:
    async with served(tmp_path) as daemon:
        attempt, _, _ = await _pair(tmp_path, daemon, origin=SHIPPED_ORIGIN)
    assert attempt.client is not None
    assert attempt.client.kid in limen(tmp_path, "unpair").stdout
    assert limen(tmp_path, "unpair", "--all").returncode == 0
    assert limen(tmp_path, "unpair").stdout == ""


def test_a_damaged_file_is_set_aside_only_when_asked(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "state")
    pairings = tmp_path / "state" / "pairings.json"
    pairings.touch(mode=0o600)
    pairings.write_text("[{")
    for arguments in (["up"], ["unpair"]):
        done = limen(tmp_path, *arguments, LIMEN_PORT=str(free_port()))
        assert done.returncode == 1
        assert "limen unpair --all" in done.stderr
    assert limen(tmp_path, "unpair", "--all").returncode == 0
    assert not pairings.exists()


def test_pair_without_a_daemon_says_what_to_do(tmp_path: Path) -> None:
    done = limen(tmp_path, "pair")
    assert done.returncode == 1
    assert "limen up" in done.stderr


async def test_the_socket_is_private_and_goes_with_the_daemon(tmp_path: Path) -> None:
    async with up(tmp_path, free_port()) as process:
        path = tmp_path / "state" / "control.sock"
        assert path.stat().st_mode & 0o077 == 0
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        process.terminate()
        await process.wait()
        assert not path.exists()


async def test_a_second_daemon_does_not_take_the_socket_of_the_first(tmp_path: Path) -> None:
    async with up(tmp_path, free_port()):
        second = await asyncio.to_thread(limen, tmp_path, "up", LIMEN_PORT=str(free_port()))
        assert second.returncode == 1
        assert "another daemon uses" in second.stderr
        assert (await asyncio.to_thread(limen, tmp_path, "unpair")).returncode == 0


async def test_a_socket_left_by_a_killed_daemon_is_replaced(tmp_path: Path) -> None:
    async with up(tmp_path, free_port()) as process:
        process.kill()
    assert (tmp_path / "state" / "control.sock").is_socket()
    async with up(tmp_path, free_port()):
        assert (await asyncio.to_thread(limen, tmp_path, "unpair")).returncode == 0


@pytest.mark.parametrize("data", [b"\n", b"{}\n", b'{"do":"allow","is_allowed":true}\n', b"x" * 9000, b""])
async def test_nonsense_on_the_socket_ends_the_conversation(tmp_path: Path, data: bytes) -> None:
    async with served(tmp_path):
        reader, writer = await asyncio.open_unix_connection(tmp_path / "state" / "control.sock")
        writer.write(data)
        writer.write_eof()
        async with asyncio.timeout(PATIENCE_S):
            assert await reader.read() == b""
        writer.close()
        listed = await asyncio.to_thread(limen, tmp_path, "unpair")
        assert listed.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel who is at the other end")
def test_the_socket_knows_its_own_user_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = socket.socketpair(socket.AF_UNIX)
    with left, right:
        assert is_same_user(left)
        uid = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
        assert not is_same_user(left)


async def test_the_code_is_on_no_other_way(tmp_path: Path) -> None:
    """It is in no log, no file and no process list, only in the terminal that asked."""
    port = free_port()
    async with up(tmp_path, port, LIMEN_LOG_LEVEL="DEBUG") as daemon, limen_pair(tmp_path) as (process, code):
        for pid in (daemon.pid, process.pid):
            for name in ("cmdline", "environ"):
                with suppress(PermissionError):
                    assert code not in Path(f"/proc/{pid}/{name}").read_bytes().decode("latin-1")
        for path in tmp_path.rglob("*"):
            if path.is_file():
                assert code not in path.read_bytes().decode("latin-1")
        assert (
            await try_pairing(RunningDaemon(port, SmallDetector()), new_code(), origin=EXTENSION)
        ).client is None


async def test_status_tells_what_runs_and_warns_of_keys_in_a_file(tmp_path: Path) -> None:
    port = free_port()
    async with up(tmp_path, port, LIMEN_MODEL="patterns", DBUS_SESSION_BUS_ADDRESS="disabled:"):
        alone = await asyncio.to_thread(limen, tmp_path, "status")
        assert (alone.returncode, alone.stderr) == (0, "")
        assert f"runs on 127.0.0.1:{port}" in alone.stdout
        assert "Pair one: limen pair" in alone.stdout
        await paired_browser(tmp_path, port)
        told = await asyncio.to_thread(limen, tmp_path, "status")
        assert "Paired browsers: 1\n" in told.stdout
        assert "the keys of 1 paired browser are in a file" in told.stderr
        listed = await asyncio.to_thread(limen, tmp_path, "pair", "--list")
        assert SHIPPED_ORIGIN in listed.stdout
        assert "last seen never" in listed.stdout
        await call(tmp_path, port, STATUS, b"{}")
        listed = await asyncio.to_thread(limen, tmp_path, "pair", "--list")
        assert "last seen never" not in listed.stdout
    stopped = limen(tmp_path, "status")
    assert stopped.returncode == 1
    assert "limen up" in stopped.stderr
