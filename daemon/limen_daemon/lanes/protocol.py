"""What every lane offers."""

from __future__ import annotations

from typing import Protocol

from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.errors import DetectorOff


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
