"""A made-up value of the same kind for a phrase that is kept back."""

from __future__ import annotations

import asyncio

from aiohttp import web

from limen_daemon.routes.table import Route
from limen_daemon.standins import StandIn, Wanted, make
from limen_daemon.wire.models import answer, read_model
from limen_daemon.wire.standins import StandInAnswer, StandInRequest
from limen_daemon.wire.utf16 import phrase_offsets
from limen_profiles.placeholders import PlaceholderEntry


async def make_standin(request: web.Request) -> web.Response:
    given = read_model(request, StandInRequest)
    start, end = phrase_offsets(given.text, given.start, given.end)
    known = [StandIn(one.placeholder, one.value) for one in given.known]
    made = await asyncio.to_thread(make, Wanted(given.text, start, end, given.category, known))
    entries = tuple(PlaceholderEntry(placeholder=one.placeholder, value=one.value) for one in made)
    return answer(StandInAnswer(entries=entries))


ROUTES = (Route("/v1/standins/make", make_standin),)
