"""The daemon's end of `limen pair`, `limen unpair` and `limen status`: a channel that only its user can use.

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
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from limen_daemon.errors import ConfigError
from limen_daemon.pairing import channel
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
    Request,
    Status,
    StatusLine,
    Unpair,
    line,
)
from limen_daemon.pairing.record import Entry
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.window import OPEN_S

MAX_LINE_BYTES = 4096
APPROVAL_S = 60.0
PROOF_S = 10.0
Describe = Callable[[], Awaitable[StatusLine]]
"""Tells what the daemon does."""
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
        self,
        service: PairingService,
        describe: Describe,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._service = service
        self._describe = describe
        self._reader = reader
        self._writer = writer

    async def hold(self, key: bytes) -> None:
        try:
            async with asyncio.timeout(PROOF_S):
                is_proven = await self._proven(key)
        except TimeoutError:
            return
        request = await self._next() if is_proven else None
        if isinstance(request, Pair):
            await self._pair()
        elif isinstance(request, ListPairings):
            for pairing in self._service.store.all():
                self._writer.write(line(PairingLine.of(pairing)))
            self._writer.write(line(Closed()))
        elif isinstance(request, Unpair):
            kids = [request.kid] if request.kid else [p.kid for p in self._service.store.all()]
            self._writer.write(line(Removed(count=await asyncio.to_thread(self._service.unpair, kids))))
        elif isinstance(request, Status):
            self._writer.write(line(await self._describe()))

    async def _proven(self, key: bytes) -> bool:
        """Whether the caller has the key, after it was shown that we have it."""
        ours = channel.new_nonce()
        theirs = channel.unline(await self._line(), channel.NONCE_BYTES)
        if theirs is None:
            return False
        self._writer.write(channel.line(ours, channel.proof(key, "daemon", theirs, ours)))
        shown = channel.unline(await self._line(), channel.PROOF_BYTES)
        return shown is not None and channel.is_proof(shown, key, "caller", theirs, ours)

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

    async def _next(self) -> Request | None:
        try:
            return REQUEST.validate_json(await self._line())
        except ValidationError:
            return None

    async def _line(self) -> bytes:
        """A whole line; nothing for what is too long, and at the end."""
        try:
            data = await self._reader.readline()
        except (ValueError, ConnectionError):
            return b""
        return data if data.endswith(b"\n") else b""


Converse = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def _remove_left_behind(path: Path) -> None:
    """Remove the socket of a daemon that was killed. Raises: `ConfigError` when one still answers there."""
    assert sys.platform != "win32"
    try:
        _reader, writer = await asyncio.open_unix_connection(path)
    except OSError:
        await asyncio.to_thread(path.unlink, missing_ok=True)
        return
    writer.close()
    raise _taken(path.parent)


def _taken(state_dir: Path) -> ConfigError:
    return ConfigError(f"another daemon uses {state_dir}. Stop it, or set LIMEN_STATE_DIR to another folder.")


@asynccontextmanager
async def _unix_socket(state_dir: Path, converse: Converse) -> AsyncIterator[None]:
    assert sys.platform != "win32"
    path = channel.socket_path(state_dir)
    await _remove_left_behind(path)
    try:
        server = await asyncio.start_unix_server(converse, path, limit=MAX_LINE_BYTES)
    except OSError:
        raise ConfigError(f"{path} cannot be listened on. Set LIMEN_STATE_DIR to a shorter path.") from None
    try:
        yield
    finally:
        server.close()
        await asyncio.to_thread(path.unlink, missing_ok=True)


@asynccontextmanager
async def _named_pipe(state_dir: Path, converse: Converse) -> AsyncIterator[None]:
    """asyncio makes the first instance with `FILE_FLAG_FIRST_PIPE_INSTANCE`: a name that is taken is refused,
    not shared."""
    if sys.platform != "win32":
        raise ConfigError("named pipes are there on Windows only")
    loop = asyncio.get_running_loop()
    if not isinstance(loop, asyncio.ProactorEventLoop):
        raise ConfigError("the control channel needs asyncio's proactor event loop")

    def protocol() -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=MAX_LINE_BYTES), converse)

    try:
        (server,) = await loop.start_serving_pipe(protocol, channel.pipe_name(state_dir))
    except OSError:
        raise _taken(state_dir) from None
    try:
        yield
    finally:
        server.close()


@asynccontextmanager
async def control_channel(
    state_dir: Path, service: PairingService, describe: Describe
) -> AsyncIterator[None]:
    """Answer the command line while the context is open. `state_dir` is 0700.

    Raises: `ConfigError` when another daemon uses the folder, or its path is too long for a socket.
    """
    conversations: set[asyncio.Task[None]] = set()
    key: bytes | None = None

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            conversations.add(task)
            task.add_done_callback(conversations.discard)
        try:
            sock = writer.get_extra_info("socket")
            if key is not None and (sock is None or is_same_user(sock)):
                await _Conversation(service, describe, reader, writer).hold(key)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    listening = _named_pipe if sys.platform == "win32" else _unix_socket
    async with listening(state_dir, converse):
        # Only now: the key of a daemon that has the channel must stay.
        key = await asyncio.to_thread(channel.new_key, state_dir)
        try:
            yield
        finally:
            for task in conversations:
                task.cancel()
            await asyncio.gather(*conversations, return_exceptions=True)
            await asyncio.to_thread((state_dir / channel.KEY_NAME).unlink, missing_ok=True)
