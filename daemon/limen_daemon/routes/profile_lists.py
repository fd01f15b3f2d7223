"""What the user always allows or always blocks."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.routes.profile_access import stored
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import Nothing, answer, read_model
from limen_daemon.wire.profile import ByIdRequest, Done, Lists
from limen_profiles import RuleIn


async def get(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    return answer(Lists(items=await stored(request).run(lambda profile: profile.rules())))


async def add(request: web.Request) -> web.Response:
    rule = read_model(request, RuleIn)
    return answer(await stored(request).run(lambda profile: profile.add_rule(rule)))


async def remove(request: web.Request) -> web.Response:
    asked = read_model(request, ByIdRequest)
    await stored(request).run(lambda profile: profile.remove_rule(asked.id))
    return answer(Done())


ROUTES = (
    Route("/v1/lists/get", get),
    Route("/v1/lists/add", add),
    Route("/v1/lists/remove", remove),
)
