"""Writes what `limen eval privacy --json` printed into a model's manifest, with its command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from limen_daemon.models.manifest import MANIFEST_NAME
from limen_quantize.errors import DataError


class QueryScores(BaseModel):
    model_config = ConfigDict(extra="ignore")
    accuracy: float


class OverlapScores(BaseModel):
    model_config = ConfigDict(extra="ignore")
    recall: float | None
    precision: float | None
    f1: float | None


class EvaluationResult(BaseModel):
    """The part of the evaluation's stable JSON that a model card needs; fractions from 0 to 1."""

    model_config = ConfigDict(extra="ignore")

    n_queries: int
    n_leak: int
    query: QueryScores
    phrase: OverlapScores
    information: OverlapScores
    false_alarms_per_1000_words: float | None = None
    latency_ms: dict[str, float | None] = {}


def read_result(path: Path) -> EvaluationResult:
    """Raises: `DataError` when the file is not an evaluation's JSON."""
    try:
        return EvaluationResult.model_validate_json(path.read_bytes())
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        raise DataError(f"{path}: not the JSON of `limen eval privacy` ({field})") from None


def write_scores(folder: Path, results: dict[str, Path], command: str) -> None:
    """Set the manifest's `scores`; `results` maps a data set's name to the JSON that `command` printed."""
    sheet: list[dict[str, Any]] = [
        {"data": name, "command": command.replace("NAME", name), **read_result(path).model_dump(mode="json")}
        for name, path in results.items()
    ]
    path = folder / MANIFEST_NAME
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["scores"] = sheet
    part = path.with_suffix(".part")
    part.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
