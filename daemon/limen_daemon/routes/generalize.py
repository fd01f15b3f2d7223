"""Less detailed wordings for one phrase, made when they are asked for: no detection waits for them."""

from __future__ import annotations

import asyncio

from aiohttp import web

from limen_daemon.generalize import Asked, suggest
from limen_daemon.routes.table import Route
from limen_daemon.wire.generalize import GeneralizeAnswer, GeneralizeRequest, WireSuggestion
from limen_daemon.wire.models import answer, read_model
from limen_daemon.wire.utf16 import Utf16Offsets, phrase_offsets


async def generalize(request: web.Request) -> web.Response:
    given = read_model(request, GeneralizeRequest)
    start, end = phrase_offsets(given.text, given.start, given.end)
    offsets = Utf16Offsets(given.text)
    asked = Asked(
        given.text, start, end, given.category, given.subject, given.granularity, given.identifiability
    )
    # In a thread: the first call reads the word lists.
    found = await asyncio.to_thread(suggest, asked)
    return answer(
        GeneralizeAnswer(
            suggestions=tuple(
                WireSuggestion(
                    text=one.text,
                    start=offsets.of(one.start),
                    end=offsets.of(one.end),
                    granularity=one.granularity,
                    identifiability=one.identifiability,
                )
                for one in found
            )
        )
    )


ROUTES = (Route("/v1/generalize", generalize),)
