"""Evaluation results in a model's manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from limen_quantize.commands.scores import scores
from limen_quantize.errors import DataError
from limen_quantize.onnx.score_sheet import write_scores

RESULT = {
    "n_queries": 3,
    "n_leak": 1,
    "query": {"accuracy": 0.9, "stderr": 0.01},
    "phrase": {"recall": 0.8, "precision": 0.7, "f1": 0.75},
    "information": {"recall": 0.5, "precision": 0.5, "f1": 0.5},
    "false_alarms_per_1000_words": 1.2,
    "latency_ms": {"p50": 9.0, "p95": 20.0},
}


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    (tmp_path / "manifest.json").write_text(json.dumps({"name": "tiny", "files": []}))
    (tmp_path / "en.json").write_text(json.dumps(RESULT))
    return tmp_path


def test_scores_stand_in_the_manifest_with_their_command(folder: Path):
    result = CliRunner().invoke(scores, [str(folder), "--result", f"en={folder / 'en.json'}"])
    assert result.exit_code == 0, result.output
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["name"] == "tiny"
    (sheet,) = manifest["scores"]
    assert (sheet["data"], sheet["query"]["accuracy"], sheet["phrase"]["f1"]) == ("en", 0.9, 0.75)
    assert sheet["command"] == "limen eval privacy --data en --json -"


def test_a_file_that_is_no_result_is_refused_and_the_manifest_stands(folder: Path):
    (folder / "en.json").write_text('{"n_queries": 3}')
    with pytest.raises(DataError, match="n_leak"):
        write_scores(folder, {"en": folder / "en.json"}, "x")
    assert "scores" not in json.loads((folder / "manifest.json").read_text())


def test_a_result_without_a_file_is_a_usage_error(folder: Path):
    assert CliRunner().invoke(scores, [str(folder), "--result", "en"]).exit_code == 2
