"""Which detectors are on this computer, and which of them is used. New ones come by the command line only."""

from __future__ import annotations

import asyncio

from aiohttp import web

from limen_daemon.errors import ModelFixed
from limen_daemon.keys import SETTINGS
from limen_daemon.models.choosing import choose_model
from limen_daemon.models.registry import PATTERNS, Installed, current_model, installed_models
from limen_daemon.routes.table import Route
from limen_daemon.wire.detectors import InstalledModel, ModelList, UseRequest
from limen_daemon.wire.models import Nothing, answer, read_model

_PATTERNS_ONLY = InstalledModel(
    name=PATTERNS,
    version="",
    format="patterns",
    bytes=0,
    languages=(),
    licence="Apache-2.0",
    origin="shipped",
    is_usable=True,
)


async def list_models(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    return answer(await asyncio.to_thread(_model_list, request.app[SETTINGS].model))


async def use(request: web.Request) -> web.Response:
    """The detector follows within seconds, as after `limen models use`."""
    asked = read_model(request, UseRequest)
    fixed = request.app[SETTINGS].model
    if fixed is not None:
        raise ModelFixed("LIMEN_MODEL names the detector; start `limen up` without it to choose here")
    await asyncio.to_thread(choose_model, asked.name)
    return answer(await asyncio.to_thread(_model_list, fixed))


def _model_list(fixed: str | None) -> ModelList:
    return ModelList(
        models=(*(_described(model) for model in installed_models()), _PATTERNS_ONLY),
        chosen=fixed or current_model(),
        is_fixed=fixed is not None,
    )


def _described(model: Installed) -> InstalledModel:
    manifest = model.manifest
    return InstalledModel(
        name=model.name,
        version=manifest.version if manifest else "",
        format=manifest.format if manifest else "unknown",
        bytes=sum(entry.bytes for entry in manifest.files) if manifest else 0,
        languages=manifest.languages if manifest else (),
        licence=manifest.licence if manifest else "",
        origin="shipped" if model.shipped else "added",
        is_usable=manifest is not None,
    )


ROUTES = (Route("/v1/models/list", list_models), Route("/v1/models/use", use))
