"""Opens the body of a paired browser's request and seals its answer. Refusals stay in clear."""

from __future__ import annotations

from aiohttp import web
from aiohttp.typedefs import Handler

from limen_daemon.keys import BODY, IDENTITY


@web.middleware
async def sealing(request: web.Request, handler: Handler) -> web.StreamResponse:
    who = request.get(IDENTITY)
    seal = who.seal if who is not None and BODY in request else None
    if seal is None:
        return await handler(request)
    request[BODY] = seal.open(request[BODY])
    response = await handler(request)
    if isinstance(response, web.Response) and isinstance(response.body, bytes):
        response.body = seal.close(response.body)
    return response
