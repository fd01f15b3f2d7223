"""Builds the application from its settings and its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from limen_daemon.gate.rules import MAX_BODY_BYTES
from limen_daemon.keys import LANE, PAIRING, PROFILE, SETTINGS
from limen_daemon.lanes.protocol import Lane
from limen_daemon.lent_encoder import lent_encoder
from limen_daemon.middleware.body import body
from limen_daemon.middleware.errors import errors
from limen_daemon.middleware.sealing import sealing
from limen_daemon.pairing.keeping import kept_pairings
from limen_daemon.pairing.service import PairingService
from limen_daemon.profile_port import NoProfile, ProfilePort
from limen_daemon.routes import ROUTES
from limen_daemon.settings import Settings

OpenLane = Callable[[], AbstractAsyncContextManager[Lane]]
OpenProfile = Callable[[], AbstractAsyncContextManager[ProfilePort]]


@asynccontextmanager
async def _no_profile() -> AsyncIterator[ProfilePort]:
    yield NoProfile()


@dataclass(frozen=True, slots=True)
class Deps:
    """What the application opens at start and closes at stop, in this order and back."""

    open_lane: OpenLane
    pairing: PairingService
    open_profile: OpenProfile = _no_profile


def create_app(settings: Settings, deps: Deps) -> web.Application:
    """The application, not yet started. It is served behind the gate (`server.py`), never alone."""
    app = web.Application(middlewares=[errors, body, sealing], client_max_size=MAX_BODY_BYTES)
    app[SETTINGS] = settings
    app[PAIRING] = deps.pairing
    for route in ROUTES:
        app.router.add_post(route.path, route.handler)

    async def lane(app: web.Application) -> AsyncIterator[None]:
        async with deps.open_lane() as opened:
            app[LANE] = opened
            yield

    async def profile(app: web.Application) -> AsyncIterator[None]:
        async with deps.open_profile() as opened:
            app[PROFILE] = opened
            yield

    async def pairings(app: web.Application) -> AsyncIterator[None]:
        async with kept_pairings(deps.pairing.store, app[PROFILE]):
            yield

    async def encoder(app: web.Application) -> AsyncIterator[None]:
        async with lent_encoder(app[LANE], app[PROFILE]):
            yield

    app.cleanup_ctx.append(lane)
    app.cleanup_ctx.append(profile)
    app.cleanup_ctx.append(pairings)
    app.cleanup_ctx.append(encoder)
    return app
