"""The profile's state, settings, pause and calibration."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.routes.profile_access import stored
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import Nothing, answer, read_model
from limen_daemon.wire.profile import Deleted, Paused, PauseRequest
from limen_profiles import CalibrationAnswer, SettingsChange


async def status(request: web.Request) -> web.Response:
    """Why the profile is locked or off, in words."""
    read_model(request, Nothing)
    return answer(stored(request).service.status())


async def get(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    return answer(await stored(request).run(lambda profile: profile.settings()))


async def set_(request: web.Request) -> web.Response:
    change = read_model(request, SettingsChange)
    return answer(await stored(request).run(lambda profile: profile.change_settings(change)))


async def pause(request: web.Request) -> web.Response:
    minutes = read_model(request, PauseRequest).minutes
    return answer(Paused(paused_until=await stored(request).run(lambda profile: profile.pause(minutes))))


async def calibration_get(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    return answer(await stored(request).run(lambda profile: profile.calibration()))


async def calibration_answer(request: web.Request) -> web.Response:
    given = read_model(request, CalibrationAnswer)
    return answer(await stored(request).run(lambda profile: profile.answer_calibration(given)))


async def calibration_forget(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    return answer(Deleted(deleted=await stored(request).run(lambda profile: profile.forget_calibration())))


ROUTES = (
    Route("/v1/profile/status", status),
    Route("/v1/profile/settings/get", get),
    Route("/v1/profile/settings/set", set_),
    Route("/v1/profile/pause", pause),
    Route("/v1/profile/calibration/get", calibration_get),
    Route("/v1/profile/calibration/answer", calibration_answer),
    Route("/v1/profile/calibration/forget", calibration_forget),
)
