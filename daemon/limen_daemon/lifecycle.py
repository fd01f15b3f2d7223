"""The life of one daemon: bind, open, serve, stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import metadata

from aiohttp import web

from limen_daemon import journal
from limen_daemon.app import Deps, create_app
from limen_daemon.errors import DetectorError
from limen_daemon.gate.origins import ExtensionOrigins
from limen_daemon.gate.rates import Rates
from limen_daemon.gate.rules import Policy
from limen_daemon.keys import LANE, PAIRING, PROFILE, SETTINGS
from limen_daemon.lanes.following import follow_choice, state_of
from limen_daemon.lanes.frames import WorkerSpec
from limen_daemon.lanes.process import ProcessLane
from limen_daemon.lanes.protocol import Lane
from limen_daemon.models.selection import selection_path
from limen_daemon.pairing.control import control_channel
from limen_daemon.pairing.messages import StatusLine
from limen_daemon.pairing.requests import PairingCredential
from limen_daemon.pairing.service import PairingService
from limen_daemon.server import serving
from limen_daemon.settings import Settings

Say = Callable[[str], None]


PAIRINGS_PER_S = 1.0
PAIRINGS_AT_ONCE = 10


def make_policy(settings: Settings, pairing: PairingService) -> Policy:
    """Paired browsers are served, and nobody else."""
    paired = PairingCredential(pairing.store)
    return Policy(
        authority=settings.authority,
        origins=ExtensionOrigins(),
        credentials={paired.scheme: paired},
        pairing=pairing,
        rates=Rates(per_s=settings.rate_per_s, burst=settings.rate_burst),
        pairing_rates=Rates(per_s=PAIRINGS_PER_S, burst=PAIRINGS_AT_ONCE),
    )


@asynccontextmanager
async def worker_lane(settings: Settings, say: Say) -> AsyncIterator[Lane]:
    """The detector in its own process. When none can be loaded the daemon serves all the same."""
    spec = WorkerSpec(name=settings.model, device=settings.device, threads=settings.threads)
    lane = ProcessLane(spec, queue_size=settings.queue_size, deadline_s=settings.detect_deadline_s)
    following: asyncio.Task[None] | None = None
    chosen = await asyncio.to_thread(state_of, selection_path())
    try:
        with contextlib.suppress(DetectorError):  # `problem` says it
            await lane.start()
        if lane.problem is not None:
            rest = "with patterns only" if lane.info else "without a detector: nothing is checked"
            say(f"{lane.problem.removesuffix('.')}. Running {rest}.")
        if settings.model is None:
            following = asyncio.create_task(follow_choice(selection_path(), chosen, lane.reload))
        yield lane
    finally:
        if following is not None:
            following.cancel()
        await lane.close()


async def status_line(app: web.Application) -> StatusLine:
    """What `limen status` tells of the running daemon."""
    info, store = app[LANE].info, app[PAIRING].store
    pairings = store.all()
    return StatusLine(
        version=metadata.version("limen"),
        authority=app[SETTINGS].authority,
        detector=None if info is None else f"{info.id} on {info.device}",
        profile=(await app[PROFILE].state()).mode,
        browsers=len(pairings),
        in_file=sum(pairing.kept_in == "file" for pairing in pairings),
        locked=sum(store.is_locked(pairing.kid) for pairing in pairings),
    )


async def run(settings: Settings, deps: Deps, sock: socket.socket, say: Say) -> None:
    """Serve until Ctrl-C or SIGTERM. Owns `sock`."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(journal.on_loop_fault)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
    app = create_app(settings, deps)

    started = asyncio.Event()

    async def describe() -> StatusLine:
        await started.wait()
        return await status_line(app)

    async with (
        control_channel(settings.state_dir, deps.pairing, describe),
        serving(app, sock, make_policy(settings, deps.pairing), max_connections=settings.max_connections),
    ):
        started.set()
        info = app[LANE].info
        what = f"{info.id} on {info.device}" if info else "no detector"
        journal.event(journal.Event.STARTED, port=settings.port)
        say(f"Limen listens on {settings.authority} ({what}). Ctrl-C stops it.")
        await stop.wait()
        say("Stopping.")
    journal.event(journal.Event.STOPPED)
