"""Starting, unlocking, exporting, importing and erasing the profile.

Changing its key, a plain export, and any other holder of its key than the system's keyring stay with the
command line: no browser asks for them.
"""

from __future__ import annotations

import asyncio

from aiohttp import web
from pydantic import SecretStr

from limen_daemon.routes.profile_access import stored
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import Nothing, answer, read_model
from limen_daemon.wire.profile import EraseRequest, Exported, ExportRequest, ImportRequest, UnlockRequest


async def start(request: web.Request) -> web.Response:
    """Turn the profile on, with its key in the keyring of the operating system."""
    read_model(request, Nothing)
    service = stored(request).service
    return answer(await asyncio.to_thread(service.init, "keyring"))


async def unlock(request: web.Request) -> web.Response:
    passphrase = _shown(read_model(request, UnlockRequest).passphrase)
    service = stored(request).service
    return answer(await asyncio.to_thread(service.unlock, passphrase))


async def lock(request: web.Request) -> web.Response:
    read_model(request, Nothing)
    service = stored(request).service
    await asyncio.to_thread(service.lock)
    return answer(service.status())


async def export(request: web.Request) -> web.Response:
    passphrase = read_model(request, ExportRequest).passphrase.get_secret_value()
    sealed = await stored(request).run(lambda profile: profile.export_sealed(passphrase))
    return answer(Exported(sealed=sealed.decode()))


async def import_(request: web.Request) -> web.Response:
    asked = read_model(request, ImportRequest)
    content, passphrase = asked.content.encode(), _shown(asked.passphrase)
    return answer(await stored(request).run(lambda profile: profile.import_(content, passphrase)))


async def erase(request: web.Request) -> web.Response:
    confirm = read_model(request, EraseRequest).confirm
    service = stored(request).service
    return answer(await asyncio.to_thread(lambda: service.erase(confirm=confirm)))


def _shown(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()


ROUTES = (
    Route("/v1/profile/start", start),
    Route("/v1/profile/unlock", unlock),
    Route("/v1/profile/lock", lock),
    Route("/v1/profile/export", export),
    Route("/v1/profile/import", import_),
    Route("/v1/profile/erase", erase),
)
