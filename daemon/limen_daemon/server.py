"""Serves the application behind the gate on one socket, from start to a bounded stop."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiohttp import web

from limen_daemon.errors import ConfigError, PortTaken
from limen_daemon.gate.door import Door
from limen_daemon.gate.gate import Gate
from limen_daemon.gate.limits import check_limits, check_parser, make_protocol
from limen_daemon.gate.protocol import HEAD_DEADLINE_S, Connections, GateProtocol
from limen_daemon.gate.rules import RULES, Policy, Rule

BACKLOG = 1024
"""Connections that wait in the system to be accepted. Over it a caller's first packet is lost, and the caller
tries again after a second."""
STOP_DEADLINE_S = 10.0


def bind(host: str, port: int) -> socket.socket:
    """Take `host:port`; port 0 takes a free one (tests).

    Raises: `PortTaken`. Limen never moves to another port: the extension would then talk to whoever
    took this one.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":  # there, SO_REUSEADDR would let another program share the port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # a restart right after a stop; it does not share a port that is listened on
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTaken(
                f"port {port} on {host} is used by another program. Perhaps Limen is running already. "
                "Limen does not use another port by itself. Stop that program, or set LIMEN_PORT "
                "and build the extension for the same port (extension/README.md)."
            ) from None
        raise ConfigError(
            f"{host}:{port} cannot be listened on ({errno.errorcode.get(error.errno or 0, '?')})"
        ) from None
    return sock


@asynccontextmanager
async def serving(
    app: web.Application,
    sock: socket.socket,
    policy: Policy,
    *,
    max_connections: int,
    rules: Sequence[Rule] = RULES,
    head_deadline_s: float = HEAD_DEADLINE_S,
    with_door: bool = sys.platform != "win32",
) -> AsyncIterator[None]:
    """Serve `app` on `sock` while the context is open; owns `sock`. Stops within `STOP_DEADLINE_S`.

    `with_door`: refuse early what is certain to be refused. Windows' event loop cannot watch a socket, and
    goes without: the same answers, at a higher price.

    Raises: `ConfigError` when a limit does not hold on a live connection.
    """
    check_parser()
    runner = web.AppRunner(
        app, handler_cancellation=True, access_log=None, shutdown_timeout=STOP_DEADLINE_S / 2
    )
    try:
        await runner.setup()
        server = runner.server
        if server is None:
            raise ConfigError("the web server did not start")
        server.request_handler = Gate(server.request_handler, policy, rules=rules)
        connections = Connections(max_connections)
        check_limits(make_protocol(server, connections), server)

        def protocol(waited_s: float = 0.0) -> GateProtocol:
            return make_protocol(server, connections, head_deadline_s=head_deadline_s, waited_s=waited_s)

        door: Door | asyncio.Server
        if with_door:
            door = Door(sock, connections, protocol, policy, rules, head_deadline_s=head_deadline_s)
            door.open()
        else:
            door = await asyncio.get_running_loop().create_server(protocol, sock=sock, backlog=BACKLOG)
        try:
            yield
        finally:
            door.close()
    finally:
        sock.close()
        await runner.cleanup()
