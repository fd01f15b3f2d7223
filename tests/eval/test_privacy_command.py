"""`limen eval privacy` from the outside: output, exit codes, killing and resuming."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from limen_eval.commands import evaluate

Start = Callable[[Callable[[str], str]], Awaitable[Any]]
KEYS = {
    "n_queries",
    "n_leak",
    "query",
    "phrase",
    "information",
    "false_alarms_per_1000_words",
    "latency_ms",
    "detector",
}


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, ["privacy", *map(str, arguments)])


def make_predictions(path: Path, queries_file: Path) -> Path:
    """Predictions that find `teach chess` everywhere, also where nothing is annotated."""
    rows = [
        {
            "id": q["id"],
            "turn": 0,
            "privacy": [{"phrase": "teach chess", "privacy information": "The user teaches chess."}],
        }
        for q in json.loads(queries_file.read_text())
    ]
    path.write_text(json.dumps(rows))
    return path


def score_file(queries_file: Path, tmp_path: Path, *more: object) -> Result:
    predictions = make_predictions(tmp_path / "predictions.json", queries_file)
    return invoke(
        "--data",
        queries_file,
        "--method",
        "file",
        "--predictions",
        predictions,
        "--out",
        tmp_path / "run",
        *more,
    )


def reply(message: str) -> str:
    """Finds `teach chess`, except that one query in three gets an answer that cannot be read."""
    number = int(message.rsplit("number ", 1)[1].split()[0])
    if number % 3 == 0:
        return "I am only a language model."
    return '```json\n[{"phrase": "teach chess", "privacy information": "The user teaches chess."}]\n```'


def test_json_on_stdout_is_the_documented_object_and_nothing_else(queries_file: Path, tmp_path: Path) -> None:
    done = score_file(queries_file, tmp_path, "--json", "-")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result.keys() == KEYS
    assert (result["n_queries"], result["n_leak"]) == (12, 6)
    assert result["query"] == {"accuracy": 0.5}
    assert result["phrase"] == {"recall": 0.5, "precision": 0.5, "f1": 0.5}
    assert result["information"].keys() == {"recall", "precision", "f1"}
    # Six alarms over the six clean queries of eleven words each.
    assert result["false_alarms_per_1000_words"] == pytest.approx(1000 * 6 / 66)
    assert result["latency_ms"] == {"p50": None, "p95": None}


def test_table_names_every_source_and_the_record_is_finished(queries_file: Path, tmp_path: Path) -> None:
    done = score_file(queries_file, tmp_path)
    assert "F1_P" in done.stdout
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["status"] == "finished"
    assert record["given"]["method"] == "file"
    assert record["resolved"]["n_queries"] == 12
    assert len(record["files"]) == 2
    assert len((tmp_path / "run" / "predictions.jsonl").read_text().splitlines()) == 12


@pytest.mark.parametrize(
    ("gate", "code"),
    [("phrase.f1>=0.5", 0), ("phrase.f1>=0.51", 3), ("latency_ms.p50<=100", 3), ("phrase.f1", 2)],
)
def test_require_decides_the_exit_code(gate: str, code: int, queries_file: Path, tmp_path: Path) -> None:
    assert score_file(queries_file, tmp_path, "--require", gate).exit_code == code


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--nonsense"], 2),
        (["--method", "guess"], 2),
        (["--method", "file"], 1),
        (["--method", "zero-shot"], 1),
    ],
)
def test_usage_errors_are_two_and_what_the_user_can_fix_is_one(
    arguments: list[str], code: int, queries_file: Path, tmp_path: Path
) -> None:
    done = invoke("--data", queries_file, "--out", tmp_path / "run", *arguments)
    assert done.exit_code == code
    assert "Traceback" not in done.output


def test_bad_data_is_refused_and_skipped_only_by_the_flag(queries_file: Path, tmp_path: Path) -> None:
    records = json.loads(queries_file.read_text())
    del records[3]["privacy"]
    queries_file.write_text(json.dumps(records))
    refused = invoke("--data", queries_file, "--method", "zero-shot", "--out", tmp_path / "x")
    assert refused.exit_code == 1
    assert "made_3: missing-field: privacy" in refused.stderr
    predictions = make_predictions(tmp_path / "p.json", queries_file)
    done = invoke(
        "--data", queries_file, "--method", "file", "--predictions", predictions,
        "--skip-bad", "missing-field", "--out", tmp_path / "run", "--json", "-",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["n_queries"] == 11
    assert json.loads((tmp_path / "run" / "run.json").read_text())["skipped"] == {"missing-field": 1}


def test_rescore_needs_neither_data_nor_model(queries_file: Path, tmp_path: Path) -> None:
    first = json.loads(score_file(queries_file, tmp_path, "--rouge", "published", "--json", "-").stdout)
    queries_file.unlink()
    (tmp_path / "predictions.json").unlink()
    done = CliRunner().invoke(
        evaluate, ["rescore", str(tmp_path / "run"), "--rouge", "published", "--json", "-"]
    )
    assert json.loads(done.stdout) == first


def test_report_is_one_file_without_outside_references(queries_file: Path, tmp_path: Path) -> None:
    assert score_file(queries_file, tmp_path, "--report").exit_code == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert "<svg" in page
    for outside in ("<script", "<link", "<img", 'src="', "@import"):
        assert outside not in page
    plots = sorted(p.name for p in (tmp_path / "run" / "plots").iterdir())
    assert plots == ["privacy_by_source.png", "privacy_by_source.svg"]


async def test_endpoint_run_counts_unreadable_answers_and_scores_them_as_empty(
    queries_file: Path, tmp_path: Path, scripted_server: Start
) -> None:
    server = await scripted_server(reply)
    code, result = await _limen(server, queries_file, tmp_path / "run")
    assert code == 0
    assert result["phrase"]["recall"] == pytest.approx((0.5 * 4 + 0 * 2) / 6)
    assert result["detector"]["id"] == "scripted"
    rows = [json.loads(line) for line in (tmp_path / "run" / "predictions.jsonl").read_text().splitlines()]
    assert sum(row["prediction"]["failure"] == "unreadable" for row in rows) == 4


async def test_killed_run_resumes_with_the_same_result_and_asks_nothing_answered_again(
    queries_file: Path, tmp_path: Path, scripted_server: Start
) -> None:
    whole = await scripted_server(reply)
    _, expected = await _limen(whole, queries_file, tmp_path / "whole")

    server = await scripted_server(reply)
    server.hold_from = 6
    process = await _start(server, queries_file, tmp_path / "run")
    await asyncio.wait_for(server.holding.wait(), 60)
    os.kill(process.pid, signal.SIGKILL)
    await process.communicate()
    assert json.loads((tmp_path / "run" / "run.json").read_text())["status"] == "started"
    n_known = len((tmp_path / "run" / "answers.jsonl").read_text().splitlines())
    assert 0 < n_known < 12

    server.hold_from = None
    server.released.set()
    already = {message for message, n in server.answered.items() if n}
    before = dict(server.asked)
    code, result = await _limen(server, queries_file, tmp_path / "run", "--resume")
    assert code == 0
    assert _without_latency(result) == _without_latency(expected)
    answered_on_disk = [m for m in already if server.asked[m] == before[m]]
    assert len(answered_on_disk) == n_known


async def test_interrupted_run_ends_with_130_and_can_be_resumed(
    queries_file: Path, tmp_path: Path, scripted_server: Start
) -> None:
    server = await scripted_server(reply)
    server.hold_from = 4
    process = await _start(server, queries_file, tmp_path / "run")
    await asyncio.wait_for(server.holding.wait(), 60)
    process.send_signal(signal.SIGINT)
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 130, errors
    assert b"--resume" in errors
    assert b"Traceback" not in errors
    assert json.loads((tmp_path / "run" / "run.json").read_text())["status"] == "interrupted"
    server.hold_from = None
    server.released.set()
    code, result = await _limen(server, queries_file, tmp_path / "run", "--resume")
    assert (code, result["n_queries"]) == (0, 12)


def _without_latency(result: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in result.items() if k not in ("latency_ms", "detector")}


async def _start(server: Any, data: Path, out: Path, *more: str) -> asyncio.subprocess.Process:
    command = ["eval", "privacy", "--data", str(data), "--method", "zero-shot", "--endpoint", server.url]
    command += ["--model", "scripted", "--concurrency", "2", "--out", str(out), "--json", "-", *more]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "limen_daemon", *command,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        # A test run in the background ignores SIGINT, and a child would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


async def _limen(server: Any, data: Path, out: Path, *more: str) -> tuple[int, dict[str, Any]]:
    process = await _start(server, data, out, *more)
    output, errors = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0, errors
    result: dict[str, Any] = json.loads(output)
    return process.returncode, result


KILLED_AFTER = 700
SUICIDE = f"""
import os, signal, sys
from limen_eval.records import journal
whole = journal.Journal.append
rows = 0
def append(self, row):
    global rows
    whole(self, row)
    rows += 1
    if rows == {KILLED_AFTER}:
        self._file.write(b'{{"index": 7, "torn')
        self._file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
journal.Journal.append = append
from limen_daemon.cli import main
sys.argv[0] = "limen"
main()
"""


@pytest.mark.data
def test_detector_run_killed_in_the_middle_of_a_row_resumes_with_the_same_result(
    data_dir: Path, tmp_path: Path
) -> None:
    queries = json.loads((data_dir / "real" / "real_en_dev.json").read_text())
    repeated = [{**query, "id": f"{query['id']}_r{n}"} for n in range(4) for query in queries]
    data = tmp_path / "repeated.json"
    data.write_text(json.dumps(repeated, ensure_ascii=False))
    command = ["--data", str(data), "--detector", "patterns", "--json", "-"]
    whole = invoke(*command, "--out", tmp_path / "whole")
    assert whole.exit_code == 0, (whole.stderr, whole.exception)
    expected = json.loads(whole.stdout)

    killed = [sys.executable, "-c", SUICIDE, "eval", "privacy", *command, "--out", str(tmp_path / "run")]
    done = subprocess.run(killed, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    journal = tmp_path / "run" / "predictions.jsonl"
    assert journal.read_bytes().count(b"\n") == KILLED_AFTER
    assert journal.read_bytes().endswith(b"torn")

    resumed = json.loads(invoke(*command, "--out", tmp_path / "run", "--resume").stdout)
    assert _without_latency(resumed) == _without_latency(expected)
    assert resumed["detector"] == expected["detector"]
    assert resumed["n_queries"] == 4 * 326
    assert journal.read_bytes().count(b"\n") == 4 * 326


def test_comparison_of_two_runs_tests_every_measure(queries_file: Path, tmp_path: Path) -> None:
    assert score_file(queries_file, tmp_path).exit_code == 0
    nothing = tmp_path / "nothing.json"
    nothing.write_text(
        json.dumps([{"id": q["id"], "turn": 0, "privacy": []} for q in json.loads(queries_file.read_text())])
    )
    command = [
        "--data",
        queries_file,
        "--method",
        "file",
        "--predictions",
        nothing,
        "--out",
        tmp_path / "none",
    ]
    assert invoke(*command).exit_code == 0
    done = CliRunner().invoke(
        evaluate, ["compare", str(tmp_path / "none"), str(tmp_path / "run"), "--json", "-"]
    )
    compared = json.loads(done.stdout)
    assert compared["n_common"] == 12
    assert compared["metrics"]["phrase_recall"]["difference"] == 0.5
    assert compared["metrics"]["phrase_precision"]["a"] is None
    assert compared["metrics"]["phrase_precision"]["p_one_sided"] is None
    table = CliRunner().invoke(evaluate, ["compare", str(tmp_path / "none"), str(tmp_path / "run")])
    assert "phrase_recall" in table.stdout


def test_runs_scored_with_different_rouge_are_not_compared(queries_file: Path, tmp_path: Path) -> None:
    score_file(queries_file, tmp_path)
    predictions = tmp_path / "predictions.json"
    command = ["--data", queries_file, "--method", "file", "--predictions", predictions]
    invoke(*command, "--rouge", "published", "--out", tmp_path / "published")
    done = CliRunner().invoke(evaluate, ["compare", str(tmp_path / "run"), str(tmp_path / "published")])
    assert done.exit_code == 1
    assert "rescore one of them" in done.stderr
