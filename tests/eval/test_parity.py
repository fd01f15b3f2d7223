"""Our scores are those of the published scripts (`expected_scores`), to four decimals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from limen_eval.commands import evaluate

SETS = {
    "sample_en": "privacy_annotation/privacy_information_train.json",
    "real_en_dev": "real/real_en_dev.json",
    "real_zh_dev": "real/real_zh_dev.json",
}


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_published_flavour_equals_the_published_scripts(name: str, data_dir: Path, tmp_path: Path) -> None:
    expected = json.loads((data_dir / "expected_scores" / "expected_scores.json").read_text())[name]
    result = _score(name, data_dir, tmp_path, "published")
    ours = {
        "Recall_P": result["phrase"]["recall"],
        "Precision_P": result["phrase"]["precision"],
        "F1_P": result["phrase"]["f1"],
        "Recall_I": result["information"]["recall"],
        "Precision_I": result["information"]["precision"],
        "F1_I": result["information"]["f1"],
        "Accuracy": result["query"]["accuracy"],
    }
    assert {k: round(v, 4) for k, v in ours.items()} == {k: round(v, 4) for k, v in expected.items()}


@pytest.mark.data
def test_rouge_score_differs_from_the_published_scripts_by_what_the_documentation_says(
    data_dir: Path, tmp_path: Path
) -> None:
    documented = {
        "sample_en": (0.6212, 0.5674),
        "real_en_dev": (0.8305, 0.7635),
        "real_zh_dev": (0.7512, 0.7028),
    }
    for name, (phrase_f1, information_f1) in documented.items():
        result = _score(name, data_dir, tmp_path, "rouge-score")
        assert round(result["phrase"]["f1"], 4) == phrase_f1
        assert round(result["information"]["f1"], 4) == information_f1


def _score(name: str, data_dir: Path, tmp_path: Path, rouge: str) -> dict[str, dict[str, float]]:
    command = ["privacy", "--data", str(data_dir / SETS[name]), "--method", "file", "--rouge", rouge]
    command += ["--predictions", str(data_dir / "expected_scores" / f"predictions_{name}.json")]
    done = CliRunner().invoke(evaluate, [*command, "--out", str(tmp_path / f"{name}-{rouge}"), "--json", "-"])
    assert done.exit_code == 0, done.stderr
    parsed: dict[str, dict[str, float]] = json.loads(done.stdout)
    return parsed
