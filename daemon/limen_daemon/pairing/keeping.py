"""While the daemon runs: the keys of the pairings follow the profile, and the list learns who was seen."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from limen_daemon.pairing.places import KeyPlace, KeyringPlace, ProfilePlace
from limen_daemon.pairing.store import PairingStore
from limen_daemon.profile_port import ProfilePort
from limen_daemon.stored_profile import StoredProfile
from limen_profiles.keys import KeyringItems

SAVE_EVERY_S = 600.0


def places_beside(profile: ProfilePort) -> Sequence[KeyPlace]:
    """The best first. None beside a profile that is not stored."""
    if not isinstance(profile, StoredProfile):
        return ()
    service = profile.service
    return KeyringPlace(KeyringItems(service.find_keyring)), ProfilePlace(service)


@asynccontextmanager
async def kept_pairings(store: PairingStore, profile: ProfilePort) -> AsyncIterator[None]:
    """Read the keys, and again whenever the profile was opened, locked or erased."""
    loop, places = asyncio.get_running_loop(), places_beside(profile)
    changed, stopping = asyncio.Event(), asyncio.Event()

    def tell() -> None:
        loop.call_soon_threadsafe(changed.set)

    await asyncio.to_thread(store.settle, places)
    if isinstance(profile, StoredProfile):
        profile.service.on_change = tell
    keeping = asyncio.create_task(_keep(store, places, changed, stopping))
    try:
        yield
    finally:
        if isinstance(profile, StoredProfile):
            profile.service.on_change = None
        stopping.set()
        changed.set()
        await keeping


async def _keep(
    store: PairingStore, places: Sequence[KeyPlace], changed: asyncio.Event, stopping: asyncio.Event
) -> None:
    while not stopping.is_set():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SAVE_EVERY_S):
                await changed.wait()
        if changed.is_set() and not stopping.is_set():
            changed.clear()
            await asyncio.to_thread(store.settle, places)
        await asyncio.to_thread(store.save_seen)
