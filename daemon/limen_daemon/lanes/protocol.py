"""What every lane offers."""

from __future__ import annotations

from typing import Protocol

from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.errors import DetectorOff

UNHURRIED_CHARACTERS = 20_000
"""A text of up to so many characters has the lane's deadline; a longer one has more, in proportion."""


def deadline_for(text: str, deadline_s: float) -> float:
    return deadline_s * max(1.0, len(text) / UNHURRIED_CHARACTERS)


class Lane(Protocol):
    """Runs a detector off the event loop, one text at a time."""

    @property
    def info(self) -> DetectorInfo | None:
        """The detector that is loaded, None when there is none."""
        ...

    async def detect(self, text: str, *, context: str | None = None) -> Detection:
        """Check `text`.

        Raises: `Busy` (the queue is full), `DetectorTimeout`, `DetectorOff`, `DetectorError`. After any of
        them the text is "not checked".
        """
        ...

    async def close(self) -> None:
        """Stop within a bounded time. Idempotent."""
        ...


class EmptyLane:
    """The lane of a daemon that could load no detector: every text is "not checked"."""

    @property
    def info(self) -> DetectorInfo | None:
        return None

    async def detect(self, text: str, *, context: str | None = None) -> Detection:
        raise DetectorOff("no detector is loaded; `limen models` shows what is installed")

    async def close(self) -> None:
        return None
