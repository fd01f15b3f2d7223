"""The limits of a connection, and the check that a live one has them."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

from aiohttp import http_parser, web

from limen_daemon.errors import ConfigError
from limen_daemon.gate.protocol import HEAD_DEADLINE_S, Connections, GateProtocol


class ProtocolLimits(TypedDict):
    """Keywords of aiohttp's `RequestHandler`. A misspelt one makes aiohttp drop all of them silently, so
    we build the protocol ourselves and compare afterwards."""

    max_line_size: int
    max_field_size: int
    max_headers: int
    keepalive_timeout: float
    lingering_time: float
    auto_decompress: bool
    access_log: None
    debug: bool


LIMITS: ProtocolLimits = {
    "max_line_size": 2048,
    "max_field_size": 4096,
    "max_headers": 48,
    "keepalive_timeout": 30.0,
    "lingering_time": 0.0,
    "auto_decompress": False,
    "access_log": None,
    "debug": False,
}


def check_parser() -> None:
    """Raises: `ConfigError` when aiohttp would parse with its slow Python code."""
    if http_parser.HttpRequestParser is http_parser.HttpRequestParserPy:
        raise ConfigError(
            "aiohttp runs without its C parser. Install its wheel: pip install --force-reinstall aiohttp"
        )


def check_limits(protocol: web.RequestHandler, server: web.Server) -> None:
    """Compare a live protocol with `LIMITS`. Raises: `ConfigError` naming the limits that do not hold."""
    found: dict[str, Any] = {
        "max_line_size": protocol.max_line_size,
        "max_field_size": protocol.max_field_size,
        "max_headers": protocol.max_headers,
        "keepalive_timeout": protocol.keepalive_timeout,
        "lingering_time": protocol._lingering_time,
        "access_log": protocol.access_log,
        "debug": protocol.debug,
    }
    wrong = sorted(name for name, value in found.items() if value != LIMITS[name])  # type: ignore[literal-required]
    if not server.handler_cancellation:
        wrong.append("handler_cancellation")
    if not isinstance(protocol, GateProtocol):
        wrong.append("head deadline")
    if wrong:
        raise ConfigError(f"the web server does not keep these limits: {', '.join(wrong)}")


def make_protocol(
    server: web.Server,
    connections: Connections,
    *,
    head_deadline_s: float = HEAD_DEADLINE_S,
    waited_s: float = 0.0,
) -> GateProtocol:
    """One connection's protocol, with every limit. Raises: `TypeError` for a limit aiohttp does not know."""
    return GateProtocol(
        server,
        connections,
        head_deadline_s=head_deadline_s,
        waited_s=waited_s,
        loop=asyncio.get_running_loop(),
        **LIMITS,
    )
