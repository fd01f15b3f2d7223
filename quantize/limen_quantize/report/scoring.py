"""Scores through the command `limen eval privacy`, so that every table in the project counts alike."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from limen_quantize.errors import TrainingError
from limen_quantize.report.measurement import Scores


def run_limen(arguments: Sequence[str | Path]) -> dict[str, Any]:
    """Run `limen ...` and read the JSON on its stdout. Raises: `TrainingError` with its last line."""
    command = [sys.executable, "-m", "limen_daemon", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["no message"]
        raise TrainingError(f"limen {' '.join(map(str, arguments[:2]))} failed: {said[-1]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def scores_of(result: dict[str, Any]) -> Scores:
    """The part of `limen eval privacy --json -` that the report shows."""
    return Scores(
        n_queries=result["n_queries"],
        accuracy=result["query"]["accuracy"],
        recall=result["phrase"]["recall"],
        precision=result["phrase"]["precision"],
        f1=result["phrase"]["f1"],
        information_f1=result["information"]["f1"],
        false_alarms_per_1000_words=result.get("false_alarms_per_1000_words"),
    )


def score_file(data: Path, predictions: Path, language: str, folder: Path) -> Scores:
    """Score the predictions of one data file."""
    return scores_of(
        run_limen(
            [
                *("eval", "privacy", "--method", "file"),
                *("--data", data, "--language", language, "--predictions", predictions),
                *("--out", folder, "--json", "-"),
            ]
        )
    )
