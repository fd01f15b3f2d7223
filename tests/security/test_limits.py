"""The limits hold on a live connection, and a mistake in them stops the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import http_parser, web

from harness.daemon import running
from limen_daemon.app import Deps, create_app
from limen_daemon.errors import ConfigError
from limen_daemon.gate import limits
from limen_daemon.gate.protocol import Connections, GateProtocol
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.settings import Settings


async def _server(**changed: object) -> web.Server:
    runner = web.AppRunner(web.Application(), **{"handler_cancellation": True, **changed})
    await runner.setup()
    assert runner.server is not None
    return runner.server


async def test_limits_effective() -> None:
    server = await _server()
    protocol = limits.make_protocol(server, Connections(64))
    limits.check_limits(protocol, server)
    assert (protocol.max_line_size, protocol.max_field_size, protocol.max_headers) == (2048, 4096, 48)
    assert (protocol.keepalive_timeout, protocol._lingering_time, protocol.access_log) == (30.0, 0.0, None)


async def test_limits_effective_control() -> None:
    """The control: aiohttp's own factory, with one keyword misspelt, silently has none of the limits."""
    wanted: dict[str, object] = {**limits.LIMITS, "max_headrs": 48}
    server = await _server(**wanted)
    protocol = server()
    assert (protocol.max_field_size, protocol._lingering_time) == (8190, 10.0)
    with pytest.raises(ConfigError, match=r"access_log.*max_headers.*head deadline"):
        limits.check_limits(protocol, server)


async def test_an_unknown_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.LIMITS, "max_headrs", 48)  # type: ignore[misc]
    with pytest.raises(TypeError, match="max_headrs"):
        limits.make_protocol(await _server(), Connections(64))


async def test_a_server_that_would_finish_a_lost_request_is_refused() -> None:
    server = await _server(handler_cancellation=False)
    with pytest.raises(ConfigError, match="handler_cancellation"):
        limits.check_limits(limits.make_protocol(server, Connections(64)), server)


async def test_a_limit_that_does_not_hold_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = GateProtocol.__init__

    def weaker(self: GateProtocol, *args: object, **kw: object) -> None:
        init(self, *args, **{**kw, "lingering_time": 10.0})  # type: ignore[arg-type]

    monkeypatch.setattr(GateProtocol, "__init__", weaker)
    with pytest.raises(ConfigError, match="lingering_time"):
        async with running(tmp_path):
            pass


def test_the_c_parser_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    limits.check_parser()
    monkeypatch.setattr(http_parser, "HttpRequestParser", http_parser.HttpRequestParserPy)
    with pytest.raises(ConfigError, match="C parser"):
        limits.check_parser()


def test_the_application_has_no_route_for_anything_but_post(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    deps = Deps(
        open_lane=lambda: pytest.fail("opened too early"), pairing=PairingService(PairingFile(tmp_path))
    )
    app = create_app(Settings(state_dir=tmp_path), deps)
    assert {route.method for route in app.router.routes()} == {"POST"}
