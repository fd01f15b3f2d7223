"""What a latency run measures: the shapes of its JSON."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from limen_eval.metrics.rouge import Language


class ProbeOrder(BaseModel):
    """What one probe process is told to do."""

    model_config = ConfigDict(extra="forbid")

    detector: str | None
    device: str
    threads: int
    language: Language
    lengths: list[int]
    repeats: int


class LengthResult(BaseModel):
    """One detector on one text length, after warming up."""

    n_characters: int
    n_tokens: int | None
    """Tokens of the model's own tokenizer; None for a detector without one."""
    n_runs: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    tokens_per_s: float | None
    """Tokens over the median time."""
    ratio_p50: float | None = None
    """Median divided by the first detector's at this length."""


class DetectorResult(BaseModel):
    """One detector, measured in a process of its own."""

    detector: dict[str, Any]
    load_ms: float
    """From before the import of the runtime until the detector is built; files come from the disk cache."""
    first_ms: float
    """The first text."""
    cold_start_ms: float
    """Both together: what a user waits for the first answer."""
    rss_before_mb: float
    peak_rss_mb: float
    lengths: list[LengthResult]


class LatencyResult(BaseModel):
    """`scores.json` and the JSON of a latency run."""

    machine: dict[str, Any]
    threads: int
    language: Language
    detectors: dict[str, DetectorResult]
