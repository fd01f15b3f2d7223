"""Which browsers are paired. A browser can end its own pairing; the others are for the command line."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from aiohttp import web

from limen_daemon.errors import OtherBrowser
from limen_daemon.keys import IDENTITY, PAIRING
from limen_daemon.pairing.record import Entry
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import Nothing, answer, read_model
from limen_daemon.wire.pairings import PairedBrowser, Pairings, RemovePairingRequest
from limen_daemon.wire.profile import Done


async def pairings(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    own = request[IDENTITY].name
    return answer(Pairings(pairings=[_row(entry, own) for entry in request.app[PAIRING].store.all()]))


async def remove(request: web.Request) -> web.Response:
    kid = read_model(request, RemovePairingRequest).id
    if kid != request[IDENTITY].name:
        raise OtherBrowser("a browser can end its own pairing only; others: `limen unpair`")
    await asyncio.to_thread(request.app[PAIRING].unpair, [kid])
    return answer(Done())


def _row(entry: Entry, own: str) -> PairedBrowser:
    return PairedBrowser(
        id=entry.kid,
        label=entry.label,
        paired_at=_time(entry.created_ms),
        last_seen=None if entry.last_seen_ms is None else _time(entry.last_seen_ms),
        this=entry.kid == own,
    )


def _time(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


ROUTES = (Route("/v1/pairings", pairings), Route("/v1/pairings/remove", remove))
