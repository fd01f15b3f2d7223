"""The daemon's end of `limen pair` and `limen unpair`: a Unix socket that only its user can reach.

None of this is on TCP: a web page, another extension or another user cannot open a window, see a code,
allow an extension or list pairings.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from limen_daemon.errors import ConfigError
from limen_daemon.pairing.messages import (
    REQUEST,
    Allow,
    Ask,
    Closed,
    ListPairings,
    Opened,
    Pair,
    PairingLine,
    Removed,
    Unpair,
    line,
)
from limen_daemon.pairing.record import Entry
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.window import OPEN_S

SOCKET_NAME = "control.sock"
MAX_LINE_BYTES = 4096
APPROVAL_S = 60.0
_UCRED = struct.Struct("3i")


def is_same_user(sock: socket.socket) -> bool:
    """Whether the other end runs as this user. Off Linux the folder's mode alone decides."""
    if sys.platform != "linux":
        return True
    _pid, uid, _gid = _UCRED.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    return bool(uid == os.geteuid())


class _Terminal:
    """One `limen pair` that waits at the other end of the socket."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._allowed: asyncio.Future[bool] | None = None
        self.over = asyncio.Event()

    async def approve(self, origin: str) -> bool:
        self._allowed = asyncio.get_running_loop().create_future()
        self._writer.write(line(Ask(origin=origin)))
        try:
            async with asyncio.timeout(APPROVAL_S):
                return await self._allowed
        except TimeoutError:
            return False

    def answer(self, is_allowed: bool) -> None:
        if self._allowed is not None and not self._allowed.done():
            self._allowed.set_result(is_allowed)

    def paired(self, entry: Entry) -> None:
        self._writer.write(line(PairingLine.of(entry)))
        self.over.set()

    def ended(self) -> None:
        self._writer.write(line(Closed()))
        self.over.set()


class _Conversation:
    def __init__(
        self, service: PairingService, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._service = service
        self._reader = reader
        self._writer = writer

    async def hold(self) -> None:
        request = await self._next()
        if isinstance(request, Pair):
            await self._pair()
        elif isinstance(request, ListPairings):
            for pairing in self._service.store.all():
                self._writer.write(line(PairingLine.of(pairing)))
            self._writer.write(line(Closed()))
        elif isinstance(request, Unpair):
            kids = [request.kid] if request.kid else [p.kid for p in self._service.store.all()]
            self._writer.write(line(Removed(count=await asyncio.to_thread(self._service.unpair, kids))))

    async def _pair(self) -> None:
        terminal = _Terminal(self._writer)
        window = self._service.open_window(terminal)
        listening = asyncio.create_task(self._listen(terminal))
        try:
            self._writer.write(line(Opened(code=window.code, for_s=int(OPEN_S))))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(OPEN_S):
                    await terminal.over.wait()
            if not terminal.over.is_set() and not window.is_open and not listening.done():
                # The code came in time and the user is being asked.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(APPROVAL_S):
                        await terminal.over.wait()
            if not terminal.over.is_set():
                terminal.ended()
        finally:
            self._service.shut_window(window)
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def _listen(self, terminal: _Terminal) -> None:
        """Hand on the user's answers; when the terminal goes away, the window goes with it."""
        while (request := await self._next()) is not None:
            if isinstance(request, Allow):
                terminal.answer(request.is_allowed)
        terminal.answer(False)
        terminal.over.set()

    async def _next(self) -> Pair | Unpair | ListPairings | Allow | None:
        try:
            data = await self._reader.readline()
            return REQUEST.validate_json(data) if data.endswith(b"\n") else None
        except (ValueError, ConnectionError, ValidationError):
            return None


async def _remove_left_behind(path: Path) -> None:
    """Remove the socket of a daemon that was killed. Raises: `ConfigError` when one still answers there."""
    try:
        _reader, writer = await asyncio.open_unix_connection(path)
    except OSError:
        await asyncio.to_thread(path.unlink, missing_ok=True)
        return
    writer.close()
    raise ConfigError(
        f"another daemon uses {path.parent}. Stop it, or set LIMEN_STATE_DIR to another folder."
    )


@asynccontextmanager
async def control_socket(state_dir: Path, service: PairingService) -> AsyncIterator[None]:
    """Listen on `control.sock` in `state_dir` (0700) while the context is open.

    Where there are no Unix sockets (Windows) nothing is opened, and pairing is not offered.
    Raises: `ConfigError` when another daemon uses the folder, or its path is too long for a socket.
    """
    if not hasattr(socket, "AF_UNIX"):
        yield
        return
    path = state_dir / SOCKET_NAME
    conversations: set[asyncio.Task[None]] = set()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            conversations.add(task)
            task.add_done_callback(conversations.discard)
        try:
            if is_same_user(writer.get_extra_info("socket")):
                await _Conversation(service, reader, writer).hold()
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    await _remove_left_behind(path)
    try:
        server = await asyncio.start_unix_server(converse, path, limit=MAX_LINE_BYTES)
    except OSError:
        raise ConfigError(f"{path} cannot be listened on. Set LIMEN_STATE_DIR to a shorter path.") from None
    try:
        yield
    finally:
        server.close()
        for task in conversations:
            task.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)
        await asyncio.to_thread(path.unlink, missing_ok=True)
