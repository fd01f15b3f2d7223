"""The table of routes: one entry per call of the API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """`POST path` runs `handler`. Every route is a POST: only a POST always carries an `Origin`."""

    path: str
    handler: Handler
