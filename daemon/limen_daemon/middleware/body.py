"""Reads the body of a request that the gate let in: within its size and within its deadline."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler

from limen_daemon.errors import BodyTimeout
from limen_daemon.keys import BODY

BODY_DEADLINE_S = 3.0


@web.middleware
async def body(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Set `request[BODY]`. A route that does not exist is refused without reading."""
    if request.match_info.http_exception is not None:
        return await handler(request)
    try:
        async with asyncio.timeout(BODY_DEADLINE_S):
            request[BODY] = await request.read()
    except TimeoutError:
        raise BodyTimeout(f"the body did not arrive within {BODY_DEADLINE_S:g} s") from None
    return await handler(request)
