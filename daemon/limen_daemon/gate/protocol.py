"""One connection: aiohttp's protocol with a deadline for the head, a cap on connections, and no echo."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from aiohttp import web

from limen_daemon import journal

HEAD_DEADLINE_S = 3.0

FIXED_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Server": "",
}
"""On every answer, refusals too. An empty `Server` keeps aiohttp from naming itself."""


class Connection(Protocol):
    """`is_known`: its caller has shown that it holds a key of ours."""

    is_known: bool

    def evict(self) -> None:
        """Close at once: others need the room."""
        ...


class Connections:
    """The open connections, oldest first. Over `limit`, the oldest that never authenticated is closed."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, protocol: Connection) -> None:
        """Raises nothing: when all others are known callers, the newcomer is the one that is closed."""
        self._open[protocol] = None
        if len(self._open) <= self._limit:
            return
        oldest = next((other for other in self._open if not other.is_known), protocol)
        self._open.pop(oldest, None)
        journal.event(journal.Event.EVICTED)
        oldest.evict()

    def remove(self, protocol: Connection) -> None:
        self._open.pop(protocol, None)


class GateProtocol(web.RequestHandler):
    """`is_known`: a request on this connection has passed the gate. `waited_s`: how long the connection was
    open before aiohttp got it; the first head's deadline counts from its beginning."""

    def __init__(
        self,
        server: web.Server,
        connections: Connections,
        *,
        head_deadline_s: float = HEAD_DEADLINE_S,
        waited_s: float = 0.0,
        **limits: Any,
    ) -> None:
        super().__init__(server, **limits)
        self.is_known = False
        self._connections = connections
        self._head_deadline_s = head_deadline_s
        self._waited_s = waited_s
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._start_head_timer(self._waited_s)
        self._connections.add(self)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_head_timer()
        self._connections.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        heads = self._request_count
        super().data_received(data)
        if self._request_count > heads:
            self._stop_head_timer()
        elif data and self._waiter is not None and self._head_timer is None:
            # Idle and still no whole head: these bytes are the beginning of the next one.
            self._start_head_timer()

    def abort(self) -> None:
        """Close at once, without waiting for what is still to be written."""
        transport = self.transport
        self.force_close()
        if transport is not None:
            transport.abort()

    def evict(self) -> None:
        self.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a malformed request (or a fault) with a status only: aiohttp's own would echo it."""
        journal.event(journal.Event.BAD_REQUEST, status=status, fault=type(exc))
        if request.writer.output_size > 0:
            raise ConnectionError("an answer was begun already")
        response = web.Response(status=status)
        response.headers.update(FIXED_HEADERS)
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """aiohttp's own would write the request, and with it what was typed."""
        error = kw.get("exc_info")
        if isinstance(error, BaseException):
            journal.fault(error)
        else:
            journal.event(journal.Event.FAULT)

    def log_debug(self, *args: Any, **kw: Any) -> None:
        return None

    def _start_head_timer(self, waited_s: float = 0.0) -> None:
        self._head_timer = self._loop.call_later(max(0.0, self._head_deadline_s - waited_s), self.abort)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
