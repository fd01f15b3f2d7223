"""What is measured about one model in one language; the scores are those of `limen eval privacy`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Job(BaseModel):
    """What a measuring process is told on its stdin."""

    model_config = ConfigDict(frozen=True)

    model: str
    """Name of an installed model, or a model folder."""
    data: list[str]
    out: str
    threads: int
    device: str
    patterns: bool


class Timing(BaseModel):
    """One detector over the queries of one data file, one query after the other."""

    model_config = ConfigDict(frozen=True)

    data: str
    predictions: str
    queries: int
    not_checked: int
    """Queries that the detector failed on; their prediction is empty and counts as such."""
    p50_ms: float
    p95_ms: float
    words_per_s: float
    """Input read per second of detection, in words or Han characters: the same count for every model."""


class Measurement(BaseModel):
    """One detector. `peak_mb`: the highest resident memory of the process that runs the model."""

    model_config = ConfigDict(frozen=True)

    model: str
    format: str
    device: str
    file_mb: float
    load_s: float
    peak_mb: float | None
    timings: list[Timing]


class Scores(BaseModel):
    """Fractions from 0 to 1; None where there is nothing to divide by, as when nothing was predicted."""

    model_config = ConfigDict(frozen=True)

    n_queries: int
    accuracy: float
    recall: float | None
    precision: float | None
    f1: float | None
    information_f1: float | None
    false_alarms_per_1000_words: float | None


class Line(BaseModel):
    """One line of the report: a model in a language. None: not measured for this kind of model."""

    model_config = ConfigDict(frozen=True)

    model: str
    format: str
    device: str
    language: str
    file_mb: float
    load_s: float | None
    peak_mb: float | None
    words_per_s: float | None
    p50_ms: float | None
    p95_ms: float | None
    not_checked: int
    unreadable: int | None = None
    """Answers without usable JSON, scored as empty; a detector gives none."""
    scores: Scores
