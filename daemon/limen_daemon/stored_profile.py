"""The encrypted profile as the daemon's routes use it. A profile that is off never stops a detection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from limen_daemon import journal
from limen_daemon.findings import Finding
from limen_daemon.profile_port import Boundary, ProfileState, default_boundary
from limen_profiles import Context, Exposure, Profile, ProfileError, ProfilePaths, ProfileService
from limen_profiles.control.server import ControlServer
from limen_profiles.errors import ProfileLocked, ProfileOff

T = TypeVar("T")
PRUNE_EVERY_S = 6 * 3600.0
MAX_PHRASE_CHARACTERS = 2000
MAX_INFORMATION_CHARACTERS = 2000


class StoredProfile:
    """A `ProfilePort` over a `ProfileService`; what blocks runs in a thread."""

    def __init__(self, service: ProfileService) -> None:
        self.service = service

    async def state(self) -> ProfileState:
        status = self.service.status()
        return ProfileState(mode=status.mode, paused_until=status.paused_until)

    async def judge(
        self, findings: Sequence[Finding], *, site: str | None, recipient: str
    ) -> Sequence[Boundary]:
        exposures = [exposure_of(finding) for finding in findings]
        context = Context(site=site or "", recipient=recipient)
        try:
            boundaries = await asyncio.to_thread(self.service.judge, exposures, context)
            return [Boundary.model_validate(boundary.model_dump()) for boundary in boundaries]
        except Exception as error:  # whatever it is: the marks stay, without the boundary
            journal.fault(error)
            return [default_boundary(finding) for finding in findings]

    async def run(self, action: Callable[[Profile], T]) -> T:
        """Do something with the opened profile, in a thread.

        Raises: ProfileOff, ProfileLocked (why it is locked is told by its status), what `action` raises.
        """
        try:
            profile = self.service.profile()
        except ProfileOff:
            raise ProfileOff from None
        except ProfileError:
            raise ProfileLocked from None
        return await asyncio.to_thread(action, profile)

    async def prune_for_ever(self) -> None:
        """Delete what is past its retention, now and every few hours."""
        while True:
            with contextlib.suppress(ProfileError):
                await self.run(lambda profile: profile.prune())
            await asyncio.sleep(PRUNE_EVERY_S)


@asynccontextmanager
async def stored_profile(
    folder: Path | None, say: Callable[[str], None], *, service: ProfileService | None = None
) -> AsyncIterator[StoredProfile]:
    """Open the profile in `folder` (None: the usual one) and serve the commands that ask for it.

    A profile that cannot be opened is told to `say` and leaves the daemon running without it.
    """
    service = service or ProfileService(ProfilePaths(folder) if folder else None)
    status = await asyncio.to_thread(lambda: service.start(may_create=True))
    if status.advice:
        say(status.advice)
    control = await asyncio.to_thread(_serve_commands, service, say)
    profile = StoredProfile(service)
    pruning = asyncio.create_task(profile.prune_for_ever())
    try:
        yield profile
    finally:
        pruning.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await pruning
        if control is not None:
            await asyncio.to_thread(control.close)
        await asyncio.to_thread(service.close)


def exposure_of(finding: Finding) -> Exposure:
    return Exposure(
        phrase=finding.phrase[:MAX_PHRASE_CHARACTERS],
        information=finding.information[:MAX_INFORMATION_CHARACTERS],
        category=finding.category.value,
        subject=finding.subject.value,
        granularity=finding.granularity,
        identifiability=finding.identifiability,
        tier=finding.tier,
    )


def _serve_commands(service: ProfileService, say: Callable[[str], None]) -> ControlServer | None:
    try:
        return ControlServer(service)
    except ProfileError as error:
        say(str(error))
    except OSError as error:
        journal.fault(error)
        say("The profile's folder cannot be used, so `limen profile` cannot reach this daemon.")
    return None
