"""Who may use the command line's channel, and what is said to anyone else: nothing."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from limen_daemon.errors import ConfigError
from limen_daemon.pairing import channel
from limen_daemon.pairing.client import DaemonDown, control
from limen_daemon.pairing.control import _named_pipe, control_channel
from limen_daemon.pairing.messages import ListPairings, Pair, Status, StatusLine, line
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.private_files import create_private, make_private_folder, replace_private

PATIENCE_S = 30.0
TOLD = StatusLine(
    version="1", authority="127.0.0.1:1", detector=None, profile="off", browsers=0, in_file=0, locked=0
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets")


async def told() -> StatusLine:
    return TOLD


@pytest.fixture
async def state(tmp_path: Path) -> AsyncIterator[Path]:
    """The folder of a daemon that listens."""
    folder = make_private_folder(tmp_path / "state")
    async with control_channel(folder, PairingService(PairingFile(folder)), told):
        yield folder


def asked(state: Path) -> list[object]:
    with control(state) as daemon:
        daemon.say(Status())
        return list(daemon.events())


async def said_to(state: Path, *lines: bytes) -> bytes:
    """All that the daemon says to a caller of these lines; the first answer is not waited for."""
    reader, writer = await asyncio.open_unix_connection(channel.socket_path(state))
    writer.writelines(lines)
    writer.write_eof()
    async with asyncio.timeout(PATIENCE_S):
        said = await reader.read()
    writer.close()
    return said


async def test_whoever_has_the_folders_key_is_answered(state: Path) -> None:
    assert await asyncio.to_thread(asked, state) == [TOLD]


@posix
async def test_a_caller_without_the_key_gets_no_answer(state: Path) -> None:
    nonce = channel.new_nonce()
    guessed = channel.line(secrets.token_bytes(channel.PROOF_BYTES))
    for request in (Pair(), ListPairings(), Status()):
        said = await said_to(state, channel.line(nonce), guessed, line(request))
        # The daemon's own proof, which tells nothing without the key, and then the end.
        assert channel.unline(said, channel.NONCE_BYTES + channel.PROOF_BYTES) is not None
        assert await said_to(state, line(request)) == b""


@posix
async def test_a_proof_is_good_for_its_conversation_only(state: Path) -> None:
    """What one caller showed is worth nothing to another that listened."""
    key = channel.read_key(state)
    assert key is not None
    old = channel.proof(key, "caller", channel.new_nonce(), channel.new_nonce())
    said = await said_to(state, channel.line(channel.new_nonce()), channel.line(old), line(Status()))
    assert said.count(b"\n") == 1


@posix
async def test_a_daemons_proof_is_no_callers_proof(state: Path) -> None:
    reader, writer = await asyncio.open_unix_connection(channel.socket_path(state))
    writer.write(channel.line(channel.new_nonce()))
    shown = channel.unline(await reader.readline(), channel.NONCE_BYTES + channel.PROOF_BYTES)
    assert shown is not None
    writer.write(channel.line(shown[channel.NONCE_BYTES :]) + line(Status()))
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.read() == b""
    writer.close()


@posix
def test_a_program_in_the_daemons_place_is_told_nothing(tmp_path: Path) -> None:
    """It took the name first and answers; it has no key, so the command line ends the conversation."""
    state = make_private_folder(tmp_path / "state")
    create_private(state / channel.KEY_NAME, secrets.token_bytes(channel.KEY_BYTES))
    heard: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(channel.socket_path(state)))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                heard.append(lines.readline())
                connection.sendall(channel.line(os.urandom(channel.NONCE_BYTES + channel.PROOF_BYTES)))
                heard.extend(lines)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(DaemonDown, match="not this user's daemon"):
            asked(state)
        thread.join(PATIENCE_S)
    assert len(heard) == 1
    assert channel.unline(heard[0], channel.NONCE_BYTES) is not None


async def test_the_key_is_private_new_at_every_start_and_goes_with_the_daemon(tmp_path: Path) -> None:
    state = make_private_folder(tmp_path / "state")
    keys = []
    for _ in range(2):
        async with control_channel(state, PairingService(PairingFile(state)), told):
            keys.append(channel.read_key(state))
            if sys.platform != "win32":
                assert (state / channel.KEY_NAME).stat().st_mode & 0o777 == 0o600
        assert channel.read_key(state) is None
    assert keys[0] != keys[1]


@posix
async def test_a_key_that_others_may_read_is_not_used(state: Path) -> None:
    (state / channel.KEY_NAME).chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        await asyncio.to_thread(asked, state)


def test_a_damaged_key_says_what_to_do(tmp_path: Path) -> None:
    state = make_private_folder(tmp_path / "state")
    replace_private(state / channel.KEY_NAME, b"short")
    with pytest.raises(ConfigError, match="limen up"):
        channel.read_key(state)


def test_windows_gets_a_pipe_of_its_own_for_each_folder(tmp_path: Path) -> None:
    one, other = (channel.address(tmp_path / name, "win32") for name in ("one", "other"))
    assert one.startswith("\\\\.\\pipe\\limen-control-")
    assert one != other
    assert one == channel.address(tmp_path / "one", "win32")
    assert len(one) < 256
    for platform in ("linux", "darwin"):
        assert channel.address(tmp_path, platform) == str(tmp_path / "control.sock")


@posix
async def test_a_pipe_is_refused_where_there_are_none(tmp_path: Path) -> None:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pytest.fail("nobody can call")

    with pytest.raises(ConfigError, match="on Windows only"):
        async with _named_pipe(tmp_path, converse):
            pass


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"zz\n", b"00" * 32, b"00" * 31 + b"\n", b"00" * 33 + b"\n", b"\xff\n"]
)
def test_only_a_line_of_the_right_length_is_read(data: bytes) -> None:
    assert channel.unline(data, 32) is None
    assert channel.unline(channel.line(bytes(32)), 32) == bytes(32)
