"""Recording a choice; listing, correcting, deleting and adding up past ones."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.routes.profile_access import stored
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import answer, read_model
from limen_daemon.wire.profile import Deleted, EditRequest, Recorded
from limen_profiles import DecisionIn, Deletion, Filter, PageRequest


async def record(request: web.Request) -> web.Response:
    decision = read_model(request, DecisionIn)
    return answer(Recorded(id=await stored(request).run(lambda profile: profile.record(decision))))


async def list_(request: web.Request) -> web.Response:
    asked = read_model(request, PageRequest)
    return answer(await stored(request).run(lambda profile: profile.page(asked)))


async def edit(request: web.Request) -> web.Response:
    asked = read_model(request, EditRequest)
    return answer(await stored(request).run(lambda profile: profile.edit(asked.id, asked.decision)))


async def delete(request: web.Request) -> web.Response:
    deletion = read_model(request, Deletion)
    return answer(Deleted(deleted=await stored(request).run(lambda profile: profile.delete(deletion))))


async def summary(request: web.Request) -> web.Response:
    wanted = read_model(request, Filter)
    return answer(await stored(request).run(lambda profile: profile.summary(wanted)))


ROUTES = (
    Route("/v1/decisions/record", record),
    Route("/v1/decisions/list", list_),
    Route("/v1/decisions/edit", edit),
    Route("/v1/decisions/delete", delete),
    Route("/v1/decisions/summary", summary),
)
