"""`limen eval cider` from the outside: published baselines, protocols, language models, resuming."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from limen_eval.commands import evaluate

Start = Callable[[Callable[[str], str]], Awaitable[Any]]


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, ["cider", *map(str, arguments)])


def run_json(data_dir: Path, out: Path, *arguments: object) -> dict[str, Any]:
    done = invoke("--data", data_dir / "cider", "--out", out, "--json", "-", *arguments)
    assert done.exit_code == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.data
@pytest.mark.parametrize(
    ("predictor", "accuracy"),
    [("always-no", 50.41), ("always-yes", 49.59), ("cell-mean", 69.02), ("random", 50.37)],
)
def test_baseline_has_its_known_accuracy(
    predictor: str, accuracy: float, data_dir: Path, tmp_path: Path
) -> None:
    result = run_json(data_dir, tmp_path / "run", "--predictor", predictor)
    assert (result["n_predictions"], result["k"], result["predictor"]) == (636, 6, predictor)
    assert round(100 * result["accuracy"], 2) == accuracy


@pytest.mark.data
def test_group_knows_less_about_unseen_scenarios(data_dir: Path, tmp_path: Path) -> None:
    known = run_json(data_dir, tmp_path / "known", "--predictor", "group")
    unseen = run_json(data_dir, tmp_path / "unseen", "--predictor", "group", "--protocol", "unseen-scenarios")
    assert round(100 * known["accuracy"], 2) == 62.56
    assert round(100 * unseen["accuracy"], 2) == 62.10
    assert unseen["protocol"] == "unseen-scenarios"


@pytest.mark.data
def test_norm_never_loses_to_always_no(data_dir: Path, tmp_path: Path) -> None:
    run_json(data_dir, tmp_path / "run", "--predictor", "always-no")
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())["by_k"]["6"]
    assert scores["versus_norm"] == {"win": 0, "tie": 636, "lose": 0, "not_compared": 0}
    assert scores["variants"]["G1-I1"]["fp"] == 0.0
    assert scores["variants"]["G1-I1"]["fn"] == 1.0


@pytest.mark.data
def test_curve_report_rescore_and_comparison(data_dir: Path, tmp_path: Path) -> None:
    out = tmp_path / "cell-mean"
    first = run_json(data_dir, out, "--predictor", "cell-mean", "--curve", "0,1,6", "--limit", 60, "--report")
    plots = {p.name for p in (out / "plots").iterdir()}
    names = ("cider_fp_fn", "cider_strata", "cider_accuracy_by_k")
    assert plots == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    assert "no history" in (out / "report.html").read_text()

    again = CliRunner().invoke(evaluate, ["rescore", str(out), "--json", "-"])
    assert json.loads(again.stdout) == first

    run_json(data_dir, tmp_path / "no", "--predictor", "always-no", "--limit", 60)
    done = CliRunner().invoke(
        evaluate,
        ["compare", str(tmp_path / "no"), str(out), "--json", "-", "--plots", str(tmp_path / "shift")],
    )
    compared = json.loads(done.stdout)
    accuracy = compared["metrics"]["accuracy"]
    assert accuracy["difference"] == pytest.approx(accuracy["b"] - accuracy["a"])
    assert compared["variants"]["G1-I1"]["fn_shift"] == "down"
    assert (tmp_path / "shift" / "fp_fn_shift.png").is_file()


@pytest.mark.data
def test_runs_of_different_protocols_are_not_compared(data_dir: Path, tmp_path: Path) -> None:
    for protocol in ("known-scenarios", "unseen-scenarios"):
        run_json(data_dir, tmp_path / protocol, "--predictor", "group", "--protocol", protocol, "--limit", 8)
    done = CliRunner().invoke(
        evaluate, ["compare", str(tmp_path / "known-scenarios"), str(tmp_path / "unseen-scenarios")]
    )
    assert done.exit_code == 1
    assert "never mixed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--k", "7"], 2),
        (["--curve", "1,9"], 2),
        (["--curve", "one"], 2),
        (["--predictor", "oracle"], 2),
        (["--data", "/nowhere"], 1),
    ],
)
def test_wrong_options_end_with_a_sentence(arguments: list[str], code: int) -> None:
    done = invoke(*arguments)
    assert done.exit_code == code
    assert "Traceback" not in done.output


@pytest.mark.data
def test_language_model_needs_to_be_given(data_dir: Path, tmp_path: Path) -> None:
    done = invoke("--data", data_dir / "cider", "--predictor", "llm", "--out", tmp_path / "run")
    assert done.exit_code == 1
    assert "--gguf" in done.stderr
    rephrased = invoke("--data", data_dir / "cider", "--predictor", "llm", "--setup", "HL", "--prompt", "v1")
    assert rephrased.exit_code == 2


def reply(message: str) -> str:
    """YES where the history says YES to more than half; no answers at all for one message in five."""
    if len(message) % 5 == 0:
        return "As a language model I would rather not."
    said = re.findall(r": (YES|NO)\b", message)
    word = "YES" if said.count("YES") * 2 > len(said) else "NO"
    return json.dumps({"reasoning": "r", "predictions": {f"variant_{n}": word for n in range(1, 10)}})


@pytest.mark.data
@pytest.mark.parametrize("setup", ["HC", "HL", "H", "none"])
async def test_language_model_run_counts_its_failures(
    setup: str, data_dir: Path, tmp_path: Path, scripted_server: Start
) -> None:
    server = await scripted_server(reply)
    code, result, errors = await _limen(server, data_dir, tmp_path / "run", "--setup", setup)
    assert code == 0, errors
    rows = [json.loads(line) for line in (tmp_path / "run" / "predictions.jsonl").read_text().splitlines()]
    failed = sum(row["accept"] is None for row in rows)
    assert len(rows) == 20
    assert 0 < failed < 20
    assert result["n_predictions"] == 20 - failed
    assert f"failed: {failed} of 20" in errors
    assert server.asked.total() == 20


@pytest.mark.data
async def test_killed_run_resumes_with_the_same_result(
    data_dir: Path, tmp_path: Path, scripted_server: Start
) -> None:
    whole = await scripted_server(reply)
    _, expected, _ = await _limen(whole, data_dir, tmp_path / "whole")

    server = await scripted_server(reply)
    server.hold_from = 9
    process = await _start(server, data_dir, tmp_path / "run")
    await asyncio.wait_for(server.holding.wait(), 120)
    os.kill(process.pid, signal.SIGKILL)
    await process.communicate()
    known = (tmp_path / "run" / "answers.jsonl").read_text().count("\n")
    server.hold_from = None
    server.released.set()
    n_asked = server.asked.total()
    code, result, errors = await _limen(server, data_dir, tmp_path / "run", "--resume")
    assert code == 0, errors
    assert result == expected
    assert server.asked.total() - n_asked == 20 - known


async def _start(server: Any, data_dir: Path, out: Path, *more: str) -> asyncio.subprocess.Process:
    command = ["eval", "cider", "--data", str(data_dir / "cider"), "--predictor", "llm", "--limit", "20"]
    command += ["--endpoint", server.url, "--model", "scripted", "--concurrency", "3"]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "limen_daemon", *command, "--out", str(out), "--json", "-", *more,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def _limen(
    server: Any, data_dir: Path, out: Path, *more: str
) -> tuple[int | None, dict[str, Any], str]:
    process = await _start(server, data_dir, out, *more)
    output, errors = await asyncio.wait_for(process.communicate(), 300)
    return process.returncode, json.loads(output or b"{}"), errors.decode()
