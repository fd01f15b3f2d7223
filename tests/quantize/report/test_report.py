"""The report over real commands and a real (tiny, random) model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.tiny_gguf import write_tiny_gguf
from limen_daemon.detector.gguf import GgufSettings
from limen_quantize.errors import DataError
from limen_quantize.report.measurement import Line, Scores
from limen_quantize.report.subset import draw
from limen_quantize.report.table import markdown

RECORDS = [
    {
        "id": f"en-{number}",
        "conversation": [
            {
                "user": f"My cousin number {number} lives in Leeds.",
                "assistant": "",
                "privacy": [
                    {"phrase": "lives in Leeds", "privacy information": "The user's cousin lives in Leeds."}
                ],
            },
            {"user": "How far is the moon?", "assistant": "", "privacy": []},
        ],
    }
    for number in range(6)
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "queries_en.json"
    path.write_text(json.dumps(RECORDS), encoding="utf-8")
    return path


def _line(**values: object) -> Line:
    scores = Scores(
        n_queries=12,
        accuracy=0.75,
        recall=0.5,
        precision=0.25,
        f1=1 / 3,
        information_f1=None,
        false_alarms_per_1000_words=None,
    )
    defaults: dict[str, object] = {
        "model": "m",
        "format": "gguf",
        "device": "cpu",
        "language": "en",
        "file_mb": 99.95,
        "load_s": None,
        "peak_mb": None,
        "words_per_s": None,
        "p50_ms": 12.34,
        "p95_ms": None,
        "not_checked": 1,
        "scores": scores,
    }
    return Line.model_validate(defaults | values)


def test_a_draw_is_the_same_for_a_seed_and_keeps_the_order_of_the_file(data: Path) -> None:
    first, again, other = (draw(data, limit=3, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.records != other.records
    ids = [record["id"] for record in first.records]
    assert ids == sorted(ids)
    assert len(first.queries) == 6
    assert [query.turn for query in first.queries] == [0, 1] * 3


def test_the_language_is_that_of_most_queries(tmp_path: Path) -> None:
    path = tmp_path / "zh.json"
    turn = {"user": "我住在杭州", "privacy": []}
    path.write_text(json.dumps([{"id": "a", "conversation": [turn, turn, {"user": "ok", "privacy": []}]}]))
    assert draw(path, limit=None, seed=0).language == "zh"


def test_a_file_without_records_is_named(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text("[]")
    with pytest.raises(DataError, match=r"empty\.json"):
        draw(path, limit=None, seed=0)


def test_the_table_shows_percent_and_a_dash_for_what_was_not_measured() -> None:
    text = markdown([_line()], command="limen quantize report", note="note")
    row = next(line for line in text.splitlines() if line.startswith("| m "))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:5] == ["gguf (cpu)", "100.0", "–", "–"]
    assert cells[6:] == ["12.3", "–", "en", "12", "75.0", "25.0", "50.0", "33.3", "–", "1", "–"]


@pytest.mark.gguf
def test_one_command_measures_scores_and_writes_table_and_plot(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")
    pytest.importorskip("llama_cpp", reason="llama-cpp-python (extra gguf) is not installed")
    from limen_quantize.commands.report import report
    from limen_quantize.gguf.levels import write_model_folder

    source = write_tiny_gguf(tmp_path / "tiny.gguf", leaning={"]": -20.0, '"': 20.0})
    settings = GgufSettings(leak_threshold=1e-9)
    folder = tmp_path / "tiny-q8"
    write_model_folder(source, folder, "Q8_0", name="tiny-q8", licence="none", settings=settings)
    arguments = ["--model", str(folder), "--data", str(data), "--limit", "3", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(report, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    (line,) = json.loads((tmp_path / "out" / "report.json").read_text())["lines"]
    assert (line["model"], line["format"], line["language"]) == ("tiny-q8", "gguf", "en")
    assert line["file_mb"] == pytest.approx((folder / "tiny-q8.gguf").stat().st_size / 1e6)
    assert line["not_checked"] == 0
    assert 0 < line["p50_ms"] <= line["p95_ms"]
    assert line["peak_mb"] > 5
    assert line["scores"]["n_queries"] == 6
    # The model marks something in every query, so it is right about half of them.
    assert line["scores"]["accuracy"] == 0.5
    assert "| tiny-q8 | gguf (cpu) |" in (tmp_path / "out" / "report.md").read_text()
    assert (tmp_path / "out" / "report.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.gguf
def test_a_model_folder_is_written_whole_and_checked_on_load(tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")
    pytest.importorskip("llama_cpp", reason="llama-cpp-python (extra gguf) is not installed")
    from limen_daemon.detector.loading import load_folder
    from limen_daemon.errors import ModelDamaged
    from limen_quantize.commands.gguf import gguf

    source = write_tiny_gguf(tmp_path / "tiny.gguf")
    result = CliRunner().invoke(gguf, [str(source), "--name", "limen-tiny"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    for name in ("limen-tiny-q8-0", "limen-tiny-q4-k-m"):
        digest = hashlib.sha256((tmp_path / name / "manifest.json").read_bytes()).hexdigest()
        assert f"limen models add {tmp_path / name} --i-trust-this {digest}" in result.output
        detector = load_folder(tmp_path / name, device="cpu", threads=1, patterns=False)
        assert detector.info.id == f"{name}-1"
        detector.close()
    weights = tmp_path / "limen-tiny-q8-0" / "limen-tiny-q8-0.gguf"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelDamaged, match="sha256"):
        load_folder(tmp_path / "limen-tiny-q8-0", device="cpu", threads=1, patterns=False)


def test_a_model_that_predicts_nothing_has_a_line_too(data: Path, tmp_path: Path) -> None:
    from limen_quantize.report.scoring import score_file

    queries = draw(data, limit=None, seed=0).queries
    predictions = tmp_path / "predictions.json"
    rows = [{"id": query.id, "turn": query.turn, "privacy": []} for query in queries]
    predictions.write_text(json.dumps(rows), encoding="utf-8")
    scores = score_file(data, predictions, "en", tmp_path / "scores")
    assert (scores.n_queries, scores.accuracy, scores.recall) == (12, 0.5, 0.0)
    assert scores.precision is None
    assert "| – |" in markdown([_line(scores=scores)], command="c", note="n")


CORPUS = Path(__file__).resolve().parents[3] / "quantize" / "corpus"


def test_examples_may_come_from_the_inline_mark_corpus(tmp_path: Path) -> None:
    """Training reads it, evaluation reads JSON: what is shown to a prompted model is written for it."""
    from limen_eval.datasets.annotated import read_annotated
    from limen_eval.datasets.problems import ProblemKind, ProblemPolicy
    from limen_quantize.readers import read
    from limen_quantize.report.examples import write_examples

    for language in ("en", "zh"):
        path = tmp_path / f"{language}.json"
        write_examples(str(CORPUS), language, path)
        policy = ProblemPolicy(skipped=set(ProblemKind))
        shown = read_annotated([path], language=None, policy=policy)
        expected = [query for query in read(str(CORPUS)) if query.language == language]
        assert len(shown) == len(expected) > 500
        assert {query.language for query in shown} == {language}
        assert [len(query.gold) for query in shown] == [len(query.phrases) for query in expected]
        assert all(gold.information for query in shown for gold in query.gold)


def test_examples_of_no_query_in_the_language_are_named(data: Path, tmp_path: Path) -> None:
    from limen_quantize.report.examples import write_examples

    with pytest.raises(DataError, match="no query in zh"):
        write_examples(str(data), "zh", tmp_path / "zh.json")
