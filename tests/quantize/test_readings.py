"""A second annotator's reading: what is drawn of it and known of its phrases, which files are refused."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest

from harness.tiny_training import batch, logits, trained
from limen_quantize.config import SecondReading
from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase, key_of
from limen_quantize.readings import Readings

TEXT = "my son is ten and I feel tired"
QUERY = AnnotatedQuery(
    id="1",
    text=TEXT,
    language="en",
    source="s",
    phrases=(MarkedPhrase(start=0, end=6, category="relationship"),),
)


def readings(folder: Path, phrases: list[list[int]], **settings: float) -> Readings:
    file = folder / "readings.jsonl"
    file.write_text(json.dumps({"query": key_of(TEXT), "phrases": phrases}) + "\n", encoding="utf-8")
    return Readings(SecondReading(files=(str(file),), **settings))


def drawn(source: Readings, query: AnnotatedQuery, times: int = 400) -> list[list[str]]:
    rng = random.Random(0)
    seen = [source.draw(query, rng) for _ in range(times)]
    return [[query.text[phrase.start : phrase.end] for phrase in one.phrases] for one in seen]


def test_sure_phrases_come_with_every_second_reading_and_doubtful_ones_as_often_as_said(
    tmp_path: Path,
) -> None:
    source = readings(tmp_path, [[3, 6, 1], [10, 13, 0]], share=1.0, doubtful=0.25)
    seen = drawn(source, QUERY)
    assert all(phrases[0] == "son" for phrases in seen)
    assert sum("ten" in phrases for phrases in seen) / len(seen) == pytest.approx(0.25, abs=0.05)


def test_the_first_annotation_keeps_its_share(tmp_path: Path) -> None:
    source = readings(tmp_path, [[3, 6, 1]], share=0.5)
    seen = drawn(source, QUERY)
    assert sum(phrases == ["my son"] for phrases in seen) / len(seen) == pytest.approx(0.5, abs=0.06)


def test_a_query_with_doubtful_phrases_only_discloses_all_of_them_or_nothing(tmp_path: Path) -> None:
    source = readings(tmp_path, [[10, 13, 0], [18, 30, 0]], share=1.0, doubtful_alone=0.2)
    seen = drawn(source, QUERY)
    assert {tuple(phrases) for phrases in seen} == {(), ("ten", "I feel tired")}
    assert sum(bool(phrases) for phrases in seen) / len(seen) == pytest.approx(0.2, abs=0.05)


def test_a_reading_without_phrases_says_that_nothing_is_disclosed(tmp_path: Path) -> None:
    assert drawn(readings(tmp_path, [], share=1.0), QUERY, 3) == [[], [], []]


def test_what_is_known_of_a_phrase_stays_and_of_a_new_one_only_the_place_is_known(tmp_path: Path) -> None:
    source = readings(tmp_path, [[3, 6, 1], [18, 30, 1]], share=1.0)
    son, tired = source.draw(QUERY, random.Random(0)).phrases
    assert (son.start, son.end, son.category) == (3, 6, "relationship")
    assert (tired.start, tired.end, tired.category) == (18, 30, None)


def test_of_two_phrases_that_it_touches_the_one_it_shares_more_with_is_known(tmp_path: Path) -> None:
    two = QUERY.model_copy(
        update={
            "phrases": (
                MarkedPhrase(start=0, end=6, category="relationship"),
                MarkedPhrase(start=7, end=13, category="age"),
            )
        }
    )
    (drawn_phrase,) = readings(tmp_path, [[5, 13, 1]], share=1.0).draw(two, random.Random(0)).phrases
    assert (drawn_phrase.start, drawn_phrase.end, drawn_phrase.category) == (5, 13, "age")


def test_a_reading_beyond_the_text_is_refused_whatever_is_drawn(tmp_path: Path) -> None:
    source = readings(tmp_path, [[0, 3, 1], [20, 99, 0]], doubtful=0.0)
    with pytest.raises(DataError, match="more than its text holds"):
        source.draw(QUERY, random.Random(0))


def test_a_query_that_nobody_else_read_stays_as_it_came(tmp_path: Path) -> None:
    other = QUERY.model_copy(update={"text": TEXT + "!"})
    assert readings(tmp_path, [[3, 6, 1]], share=1.0).draw(other, random.Random(0)) is other


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "must be an object"),
        ('{"query": "0123", "phrases": []}', "must be an object"),
        ('{"query": "0123456789ABCDEF", "phrases": []}', "must be an object"),
        (json.dumps({"query": key_of(TEXT), "phrases": []}), "read before"),
        ('{"query": "0123456789abcdef", "phrases": [[1, 2]]}', "must be an object"),
        ('{"query": "0123456789abcdef", "phrases": [[4, 4, 1]]}', "may not be empty"),
        ('{"query": "0123456789abcdef", "phrases": [[3, 5, 1], [4, 6, 1]]}', "overlap"),
        ('{"query": "0123456789abcdef", "phrases": [[-1, 2, 1]]}', "overlap"),
    ],
)
def test_a_damaged_line_is_refused_by_its_number(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "readings.jsonl"
    good = json.dumps({"query": key_of(TEXT), "phrases": [[3, 6, 1]]})
    file.write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=f"line 2.*{reason}"):
        Readings(SecondReading(files=(str(file),)))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.jsonl: cannot be read"):
        Readings(SecondReading(files=(str(tmp_path / "nowhere.jsonl"),)))


def test_two_files_may_not_read_the_same_query(tmp_path: Path) -> None:
    readings(tmp_path, [[3, 6, 1]])
    first = tmp_path / "readings.jsonl"
    second = tmp_path / "second.jsonl"
    second.write_bytes(first.read_bytes())
    with pytest.raises(DataError, match=r"second\.jsonl: reads query"):
        Readings(SecondReading(files=(str(first), str(second))))


@pytest.mark.parametrize(("content", "reason"), [(b"", "holds no readings"), (b"\xff\xfe", "cannot be read")])
def test_a_file_without_readings_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "readings.jsonl"
    file.write_bytes(content)
    with pytest.raises(DataError, match=reason):
        Readings(SecondReading(files=(str(file),)))


@pytest.mark.train
def test_a_run_with_other_readings_does_not_go_on(base: Path, corpus_file: Path, tmp_path: Path) -> None:
    from limen_quantize.errors import TrainingError

    readings(tmp_path, [[3, 6, 1]])
    file = tmp_path / "readings.jsonl"
    settings = {"second_reading": {"files": [str(file)]}, "epochs": 1}
    trained(base, corpus_file, tmp_path / "run", **settings)
    readings(tmp_path, [[3, 7, 1]])
    with pytest.raises(TrainingError, match="second readings or answers have changed"):
        trained(base, corpus_file, tmp_path / "run", **settings)


@pytest.mark.train
def test_a_network_learns_what_only_the_second_annotator_marked(
    base: Path, corpus_file: Path, tmp_path: Path
) -> None:
    """The same texts, nothing marked: what it finds it has from the second reading; the record names it."""
    from limen_quantize.readers import read

    queries = read(str(corpus_file))
    file = tmp_path / "readings.jsonl"
    file.write_text(
        "".join(
            json.dumps({"query": key_of(q.text), "phrases": [[p.start, p.end, 1] for p in q.phrases]}) + "\n"
            for q in queries
        ),
        encoding="utf-8",
    )
    plain = tmp_path / "plain.txt"
    plain.write_text("".join(f"none\t{query.text}\n" for query in queries), encoding="utf-8")
    second = {"files": [str(file)], "share": 1.0}
    out = trained(base, plain, tmp_path / "run", second_reading=second, epochs=60)
    made = batch(base, corpus_file)
    inside = logits(out / "network", made)[..., :3].argmax(-1) > 0
    read_tokens = made["tag"] != -100
    assert (inside == (made["tag"] > 0))[read_tokens].float().mean() > 0.95
    record = json.loads((out / "run.json").read_text())
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    assert record["second_readings"] == [{"source": str(file), "sha256": sha256}]
