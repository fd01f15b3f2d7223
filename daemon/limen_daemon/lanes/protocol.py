"""What every lane offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.errors import DetectorOff

if TYPE_CHECKING:
    from limen_daemon.lanes.frames import Vectors

UNHURRIED_CHARACTERS = 20_000
"""A text of up to so many characters has the lane's deadline; a longer one has more, in proportion."""


def deadline_for(text: str, deadline_s: float) -> float:
    return deadline_s * max(1.0, len(text) / UNHURRIED_CHARACTERS)


class Encoded(NamedTuple):
    """`vectors`: (n, d), one of length 1 for each text. `encoder`: the detector that made them."""

    encoder: str
    vectors: Vectors


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

    async def embed(self, texts: Sequence[str], *, within_s: float) -> Encoded | None:
        """Sentence vectors of `texts`; None when the detector has none, or they did not come `within_s`."""
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

    async def embed(self, texts: Sequence[str], *, within_s: float) -> Encoded | None:
        return None

    async def close(self) -> None:
        return None
