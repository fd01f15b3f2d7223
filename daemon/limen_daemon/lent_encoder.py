"""While the daemon runs, the profile may ask the detector's process what phrases mean."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager

from limen_daemon import journal
from limen_daemon.lanes.protocol import Lane
from limen_daemon.profile_port import ProfilePort
from limen_daemon.stored_profile import StoredProfile
from limen_profiles import Embed, Embedding

GRACE_S = 0.5
"""How long the event loop may be late with an answer."""


@asynccontextmanager
async def lent_encoder(lane: Lane, profile: ProfilePort) -> AsyncIterator[None]:
    """Lend the lane's detector to a stored profile, and take it back before either is closed."""
    if not isinstance(profile, StoredProfile):
        yield
        return
    await asyncio.to_thread(profile.service.use_encoder, embed_by(lane, asyncio.get_running_loop()))
    try:
        yield
    finally:
        await asyncio.to_thread(profile.service.use_encoder, None)


def embed_by(lane: Lane, loop: asyncio.AbstractEventLoop) -> Embed:
    """The lane's encoder for callers in other threads than the loop's."""

    async def ask(texts: Sequence[str], within_s: float) -> Embedding | None:
        encoded = await lane.embed(texts, within_s=within_s)
        return None if encoded is None else Embedding(encoded.encoder, encoded.vectors)

    def embed(texts: Sequence[str], within_s: float) -> Embedding | None:
        if loop.is_closed():
            return None
        asked = asyncio.run_coroutine_threadsafe(ask(texts, within_s), loop)
        try:
            return asked.result(within_s + GRACE_S)
        except (TimeoutError, CancelledError):
            asked.cancel()
            return None
        except Exception as error:  # a profile without meaning is one that works
            journal.fault(error)
            return None

    return embed
