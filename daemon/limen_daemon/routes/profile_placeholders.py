"""What the placeholders of a conversation stand for, until they expire."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.routes.profile_access import stored
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import answer, read_model
from limen_daemon.wire.profile import Done
from limen_profiles import PlaceholdersGet, PlaceholdersPut


async def put(request: web.Request) -> web.Response:
    given = read_model(request, PlaceholdersPut)
    await stored(request).run(lambda profile: profile.put_placeholders(given))
    return answer(Done())


async def get(request: web.Request) -> web.Response:
    asked = read_model(request, PlaceholdersGet)
    return answer(await stored(request).run(lambda profile: profile.get_placeholders(asked)))


ROUTES = (
    Route("/v1/placeholders/put", put),
    Route("/v1/placeholders/get", get),
)
