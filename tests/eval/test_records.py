"""Run folders: journals survive a kill, runs continue, gates decide."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limen_eval.errors import GateNotMet, RunError
from limen_eval.records.folder import RunFolder
from limen_eval.records.gates import Gate, check_gates
from limen_eval.records.journal import Journal, read_rows
from limen_eval.records.manifest import Manifest
from limen_eval.records.provenance import file_hashes


def make_manifest(**resolved: object) -> Manifest:
    return Manifest(kind="privacy", given={}, resolved=resolved, seeds={"seed": 42}, files=[])


def test_torn_last_row_is_cut_off_and_the_next_row_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path) as journal:
        journal.append({"n": 1})
    with path.open("ab") as file:
        file.write(b'{"n": 2, "text": "' + b"x" * 200_000)
    assert list(read_rows(path)) == [{"n": 1}]
    with Journal(path) as journal:
        journal.append({"n": 3})
    assert list(read_rows(path)) == [{"n": 1}, {"n": 3}]


def test_journal_of_one_torn_row_becomes_empty(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"n": 1')
    Journal(path).close()
    assert path.read_bytes() == b""


def test_journal_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path) as first:
        first.append({"n": 1})
        with pytest.raises(RunError, match="another process is writing"):
            Journal(path)
        first.append({"n": 2})
    with Journal(path) as second:
        second.append({"n": 3})
    assert [row["n"] for row in read_rows(path)] == [1, 2, 3]


def test_closed_journal_refuses_rows(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.append({})


def test_record_is_on_disk_as_started_before_any_prediction(tmp_path: Path) -> None:
    RunFolder.start(tmp_path / "run", make_manifest(k=6))
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["status"] == "started"
    assert record["resolved"] == {"k": 6}
    assert record["seeds"] == {"seed": 42}
    assert {"python", "limen", "numpy"} <= record["packages"].keys()


def test_used_folder_is_refused_without_overwrite_or_resume(tmp_path: Path) -> None:
    RunFolder.start(tmp_path / "run", make_manifest())
    with pytest.raises(RunError, match="not empty"):
        RunFolder.start(tmp_path / "run", make_manifest())


def test_overwrite_leaves_a_folder_alone_that_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(RunError, match="left alone"):
        RunFolder.start(tmp_path, make_manifest(), overwrite=True)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_overwrite_starts_from_nothing(tmp_path: Path) -> None:
    with RunFolder.start(tmp_path, make_manifest()).journal() as journal:
        journal.append({"n": 1})
    assert list(RunFolder.start(tmp_path, make_manifest(), overwrite=True).predictions()) == []


def test_resume_keeps_rows_and_refuses_other_settings_or_data(tmp_path: Path) -> None:
    with RunFolder.start(tmp_path / "run", make_manifest(k=6)).journal() as journal:
        journal.append({"n": 1})
    assert list(RunFolder.start(tmp_path / "run", make_manifest(k=6), resume=True).predictions()) == [
        {"n": 1}
    ]
    with pytest.raises(RunError, match=r"other settings \(k\)"):
        RunFolder.start(tmp_path / "run", make_manifest(k=5), resume=True)
    data = tmp_path / "data"
    data.write_text("x")
    changed = make_manifest(k=6)
    changed.files = file_hashes([data])
    with pytest.raises(RunError, match="the data or the model changed"):
        RunFolder.start(tmp_path / "run", changed, resume=True)


@pytest.mark.parametrize("content", ["", "{", '{"version": 99}', '{"version": 1}'])
def test_unreadable_record_is_a_clear_error(content: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunError):
        RunFolder.open(tmp_path)


RESULT = {"phrase": {"f1": 0.8}, "variants": {"G1-I1": {"fp": 0.5}}, "accuracy": None, "n": 3}


@pytest.mark.parametrize(
    "gate", ["phrase.f1>=0.8", "phrase.f1<0.9", "variants.G1-I1.fp==0.5", "n>2", "n <= 3"]
)
def test_gate_that_is_met_passes(gate: str) -> None:
    check_gates([Gate.parse(gate)], RESULT)


@pytest.mark.parametrize("gate", ["phrase.f1>0.8", "accuracy>=0", "nothing.there>=0", "phrase>=0"])
def test_gate_on_too_low_undefined_or_absent_numbers_is_not_met(gate: str) -> None:
    with pytest.raises(GateNotMet) as refused:
        check_gates([Gate.parse(gate)], RESULT)
    assert refused.value.exit_code == 3


@pytest.mark.parametrize("text", ["phrase.f1", "phrase.f1=0.8", ">=0.8", "phrase.f1>=high"])
def test_malformed_gate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not like"):
        Gate.parse(text)
