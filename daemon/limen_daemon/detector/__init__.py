"""Detectors: a text in, findings out. `load_detector` is the one place that builds one."""

from __future__ import annotations

from limen_daemon.detector.protocol import Detection, Detector, DetectorInfo

__all__ = ["Detection", "Detector", "DetectorInfo", "load_detector"]


def load_detector(
    name: str | None = None, *, device: str = "auto", threads: int = 1, patterns: bool = True
) -> Detector:
    """Load the model called `name` (None: the one chosen with `limen models use`, else the shipped one).

    `name="patterns"` gives the recognizers alone. `device`: `auto`, `cpu` or `cuda`; `Detector.info` says
    which one really runs. `patterns=False` leaves the recognizers out (for measuring the model).
    Raises: `ModelMissing`, `ModelDamaged`, `ExtraMissing`; `ConfigError` when the choice cannot be read.
    """
    from limen_daemon.detector.loading import load  # here, so that a worker process imports only its own part

    return load(name, device=device, threads=threads, patterns=patterns)
