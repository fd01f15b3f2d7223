"""Loads the best detector there is, and says why when it is not the one that was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from limen_daemon.detector.protocol import Detector, Encoder
from limen_daemon.errors import LimenError


@dataclass(frozen=True, slots=True)
class Loaded:
    """`detector` is None when nothing could be loaded. `problem`: one sentence, without any user's text."""

    detector: Detector | None
    problem: str | None = None

    @property
    def encoder(self) -> Encoder | None:
        """What gives sentence vectors, where the detector has that."""
        if self.detector is None:
            return None
        from limen_daemon.detector.union import encoder_of

        return encoder_of(self.detector)


def load_best(name: str | None, *, device: str, threads: int) -> Loaded:
    """Load the model called `name`; if that fails, the patterns alone; if that fails too, nothing.

    Blocking. Never raises for a detector that cannot be loaded: the daemon then serves and says so.
    """
    try:
        from limen_daemon.detector import load_detector

        return Loaded(load_detector(name, device=device, threads=threads))
    except Exception as error:  # whatever a damaged model file makes a library raise
        problem = _sentence(error)
    try:
        return Loaded(load_detector("patterns", device=device, threads=threads), problem)
    except Exception:  # the first problem is the one to tell
        return Loaded(None, problem)


def _sentence(error: Exception) -> str:
    if isinstance(error, LimenError):
        return str(error)
    return f"the detector cannot be loaded ({type(error).__name__})"
