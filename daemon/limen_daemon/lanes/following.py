"""Follows `limen models use`: when the choice on disk changes, the lane loads the chosen detector."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

CHECK_EVERY_S = 2.0

State = tuple[int, int] | None


def state_of(path: Path) -> State:
    """The file's identity and time of change; None when there is none. Blocking."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


async def follow_choice(
    path: Path, seen: State, reload: Callable[[], Awaitable[None]], *, every_s: float = CHECK_EVERY_S
) -> None:
    """Call `reload` whenever the file at `path` is not as it was `seen` before. Runs until cancelled.

    `seen` must be from before the detector was loaded, so that no choice is missed in between.
    """
    while True:
        now = await asyncio.to_thread(state_of, path)
        if now != seen:
            seen = now
            await reload()
        await asyncio.sleep(every_s)
