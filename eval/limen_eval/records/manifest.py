"""The record of one run, written as "started" before the first prediction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from limen_eval.records.provenance import FileHash, Revision, package_versions, source_revision

RECORD_VERSION = 1
RunKind = Literal["privacy", "cider", "latency"]


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Manifest(BaseModel):
    """`run.json`. Unknown keys are refused: a record of a newer version must not be half understood."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    version: int = RECORD_VERSION
    """Version of this format."""
    kind: RunKind
    """Which evaluation this is."""
    status: Literal["started", "interrupted", "failed", "finished"] = "started"
    """`started` in a record whose process is gone means that it was killed: resume it."""
    started_at: str = Field(default_factory=now)
    finished_at: str | None = None
    given: dict[str, Any]
    """Options as typed."""
    resolved: dict[str, Any]
    """Everything that decides the numbers, defaults filled in; a resumed run must have the same."""
    seeds: dict[str, int]
    packages: dict[str, str] = Field(default_factory=package_versions)
    revision: Revision | None = Field(default_factory=source_revision)
    files: list[FileHash]
    """The data and model files that were read."""
    detector: dict[str, Any] = Field(default_factory=dict)
    """What answered: id, format, device."""
    skipped: dict[str, int] = Field(default_factory=dict)
    """Bad records left out by `--skip-bad`, by kind."""
    result: dict[str, Any] | None = None
    """The summary that `--json` prints; None until finished."""
