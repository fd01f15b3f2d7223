"""`limen eval latency` with the recognizers, which need no model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from limen_eval.commands import evaluate
from limen_eval.latency.texts import text_of_length


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("length", [1, 50, 333, 4000])
def test_text_has_exactly_the_length(language: str, length: int) -> None:
    assert len(text_of_length(language, length)) == length  # type: ignore[arg-type]


def test_every_detector_and_length_is_measured_with_ratios_to_the_first(tmp_path: Path) -> None:
    command = [
        "latency",
        "--detector",
        "patterns",
        "--lengths",
        "50,200",
        "--repeats",
        "3",
        "--json",
        "-",
        "--report",
    ]
    done = CliRunner().invoke(evaluate, [*command, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    one = result["detectors"]["patterns"]
    assert [length["n_characters"] for length in one["lengths"]] == [50, 200]
    for length in one["lengths"]:
        assert 0 < length["p50_ms"] <= length["p95_ms"] <= length["p99_ms"]
        assert length["ratio_p50"] == 1.0
        assert length["tokens_per_s"] is None
    assert one["cold_start_ms"] == pytest.approx(one["load_ms"] + one["first_ms"])
    assert one["peak_rss_mb"] >= one["rss_before_mb"] > 0
    assert (tmp_path / "run" / "plots" / "latency_by_length.svg").is_file()


def test_unknown_detector_is_one_sentence(tmp_path: Path) -> None:
    done = CliRunner().invoke(evaluate, ["latency", "--detector", "nonesuch", "--out", str(tmp_path / "run")])
    assert done.exit_code == 1
    assert "nonesuch" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize("lengths", ["0", "a", "10,,20"])
def test_wrong_lengths_are_a_usage_error(lengths: str) -> None:
    assert CliRunner().invoke(evaluate, ["latency", "--lengths", lengths]).exit_code == 2
