"""The command line's end of the control channel. Blocking."""

from __future__ import annotations

import io
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pydantic import BaseModel, ValidationError

from limen_daemon.errors import LimenError
from limen_daemon.pairing import channel
from limen_daemon.pairing.control import is_same_user
from limen_daemon.pairing.messages import EVENT, Event, line

PATIENCE_S = 200.0
TRIES = 5


class DaemonDown(LimenError):
    code = "daemon_down"


class Control:
    """A conversation with the running daemon."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer

    def prove(self, key: bytes) -> None:
        """Show the daemon our proof, after it has shown its own. Raises: `DaemonDown`."""
        ours = channel.new_nonce()
        self._write(channel.line(ours))
        shown = channel.unline(self._reader.readline(1024), channel.NONCE_BYTES + channel.PROOF_BYTES)
        theirs, proof = (shown or b"")[: channel.NONCE_BYTES], (shown or b"")[channel.NONCE_BYTES :]
        if shown is None or not channel.is_proof(proof, key, "daemon", ours, theirs):
            raise DaemonDown("what answers in the daemon's place is not this user's daemon of this version")
        self._write(channel.line(channel.proof(key, "caller", ours, theirs)))

    def say(self, message: BaseModel) -> None:
        self._write(line(message))

    def events(self) -> Iterator[Event]:
        """Until the daemon ends the conversation. Raises: `DaemonDown` when it says what makes no sense."""
        for data in iter(self._reader.readline, b""):
            try:
                yield EVENT.validate_json(data)
            except ValidationError:
                raise DaemonDown("the daemon is of another version. Start it again: limen up") from None

    def _write(self, data: bytes) -> None:
        self._writer.write(data)
        self._writer.flush()


@contextmanager
def control(state_dir: Path) -> Iterator[Control]:
    """Connect to the daemon of this state folder. Raises: `DaemonDown`, `ConfigError`."""
    key = channel.read_key(state_dir)
    if key is None:
        raise _not_running()
    with _pipe(state_dir) if sys.platform == "win32" else _socket(state_dir) as conversation:
        try:
            conversation.prove(key)
        except OSError:
            raise _not_running() from None
        yield conversation


@contextmanager
def _socket(state_dir: Path) -> Iterator[Control]:
    assert sys.platform != "win32"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(PATIENCE_S)
        try:
            sock.connect(channel.address(state_dir))
        except OSError:
            raise _not_running() from None
        if not is_same_user(sock):
            raise DaemonDown("the control socket belongs to another user")
        with sock.makefile("rb") as reader, sock.makefile("wb") as writer:
            yield Control(reader, writer)


@contextmanager
def _pipe(state_dir: Path) -> Iterator[Control]:
    for left in range(TRIES, 0, -1):
        try:
            pipe = io.FileIO(channel.address(state_dir), "r+")
        except OSError:  # none there, or each of its instances is taken at this moment
            if left == 1:
                raise _not_running() from None
            time.sleep(0.1)
        else:
            break
    with pipe, io.BufferedReader(pipe) as reader:
        yield Control(reader, pipe)


def _not_running() -> DaemonDown:
    return DaemonDown("the daemon is not running. Start it: limen up")
