"""Is the daemon there, which detector looks, and how is the profile."""

from __future__ import annotations

from importlib import metadata

from aiohttp import web

from limen_daemon.detector.protocol import DetectorInfo
from limen_daemon.keys import LANE, PROFILE
from limen_daemon.routes.table import Route
from limen_daemon.wire.detect import CheckedBy
from limen_daemon.wire.models import Nothing, answer, read_model
from limen_daemon.wire.status import StatusAnswer


async def status(request: web.Request) -> web.Response:
    lane, profile = request.app[LANE], request.app[PROFILE]
    read_model(request, Nothing)
    state = await profile.state()
    return answer(
        StatusAnswer(
            version=metadata.version("limen"),
            detector=lane.info,
            checked_by=checked_by(lane.info),
            profile=state.mode,
            paused_until=state.paused_until,
        )
    )


def checked_by(info: DetectorInfo | None) -> CheckedBy:
    """Who would look at a text now."""
    if info is None:
        return "none"
    return "patterns" if info.format == "patterns" else "model"


ROUTES = (Route("/v1/status", status),)
