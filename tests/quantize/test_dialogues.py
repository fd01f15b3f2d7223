"""The published dataset in both shapes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limen_daemon.findings import Category
from limen_quantize.errors import DataError
from limen_quantize.queries import locate
from limen_quantize.readers import read, read_dialogues

DIALOGUE = {
    "id": "ShareGPT_1",
    "conversation": [
        {
            "user": "I'm a nurse in Leeds",
            "assistant": "Hello!",
            "privacy": [
                {"phrase": "nurse", "privacy information": "The user is a nurse."},
                {"phrase": "Leeds", "privacy information": "The user lives in Leeds."},
            ],
        },
        {"user": "thanks", "assistant": None, "privacy": None},
    ],
}


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_each_turn_of_a_dialogue_is_a_query(tmp_path: Path):
    queries = read_dialogues(write(tmp_path / "train.json", [DIALOGUE]))
    assert [query.id for query in queries] == ["ShareGPT_1#0", "ShareGPT_1#1"]
    assert [queries[0].text[p.start : p.end] for p in queries[0].phrases] == ["nurse", "Leeds"]
    assert queries[0].phrases[0].information == "The user is a nurse."
    assert queries[0].phrases[0].category is None
    assert queries[1].phrases == ()


@pytest.mark.parametrize("field", ["user", "query"])
def test_single_queries_read_like_turns(tmp_path: Path, field: str):
    record = {
        "id": "q1",
        field: "我妈72了",
        "privacy": [{"phrase": "72", "privacy information": "用户的妈妈72岁。"}],
    }
    (query,) = read_dialogues(write(tmp_path / "zh_query.json", [record]))
    assert query.language == "zh"
    assert (query.phrases[0].start, query.phrases[0].end) == (2, 4)


def test_lines_of_json_read_too(tmp_path: Path):
    path = tmp_path / "train.jsonl"
    path.write_text(
        "\n".join([json.dumps(DIALOGUE), json.dumps({"id": "x", "user": "hello"})]), encoding="utf-8"
    )
    assert len(read_dialogues(path)) == 3


def test_our_own_fields_are_kept_and_foreign_categories_dropped(tmp_path: Path):
    item = {
        "phrase": "nurse",
        "privacy information": "x",
        "granularity": 2,
        "identifiability": 2,
        "subject": "user",
    }
    records = [
        {"id": name, "conversation": [{"user": "a nurse", "privacy": [{**item, "category": category}]}]}
        for name, category in (("a", "occupation"), ("b", "Job Title/Role"))
    ]
    ours, foreign = read_dialogues(write(tmp_path / "a.json", records))
    assert ours.phrases[0].category is Category.OCCUPATION
    assert ours.phrases[0].granularity == 2
    assert foreign.phrases[0].category is None


def test_a_sentence_that_is_no_string_becomes_empty(tmp_path: Path):
    record = {"id": "a", "user": "a nurse", "privacy": [{"phrase": "nurse", "privacy information": ["x"]}]}
    assert read_dialogues(write(tmp_path / "a.json", [record]))[0].phrases[0].information == ""


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("man", "a woman and a man", "man"),
        ("Type 2  Diabetes", "I have type 2\ndiabetes now", "type 2\ndiabetes"),
        ("妈妈", "我妈妈", "妈妈"),
        ("fat", "my father", "fat"),
        ("absent", "not here", None),
    ],
)
def test_phrases_are_found_as_people_copied_them(phrase: str, text: str, found: str | None):
    place = locate(phrase, text, [])
    assert (None if place is None else text[place[0] : place[1]]) == found


def test_a_repeated_phrase_takes_the_next_free_place():
    first = locate("son", "my son and my son", [])
    assert first == (3, 6)
    assert locate("son", "my son and my son", [first]) == (14, 17)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([{"id": "q7", "conversation": [{"assistant": "x"}]}], "id q7, turn 0: user"),
        ([{"id": "q7", "privacy": []}], "id q7: has neither"),
        (
            [{"id": "q7", "user": "hello", "privacy": [{"phrase": "absent"}]}],
            "id q7#0: a phrase is not in its query",
        ),
        ([{"id": "q7", "user": "a"}, {"id": "q7", "user": "b"}], "id q7: this id occurs twice"),
        ([], "at least one"),
        ({"id": "q7"}, "must hold a list"),
        (["text"], "item 0: must be an object"),
        ([{"id": "q7", "conversation": "x"}], "id q7: conversation must be a list"),
    ],
)
def test_bad_data_is_named_by_file_and_id(tmp_path: Path, content: object, said: str):
    with pytest.raises(DataError, match=said) as caught:
        read_dialogues(write(tmp_path / "bad.json", content))
    assert "bad.json" in str(caught.value)
    assert "hello" not in str(caught.value)


def test_broken_json_is_named_by_line(tmp_path: Path):
    path = tmp_path / "bad.json"
    path.write_text('[\n{"id": }\n]', encoding="utf-8")
    with pytest.raises(DataError, match="line 2"):
        read_dialogues(path)


def test_lenient_reading_drops_only_the_phrase_that_is_nowhere(tmp_path: Path):
    record = {"id": "a", "user": "a nurse", "privacy": [{"phrase": "nurse"}, {"phrase": "absent"}]}
    (query,) = read_dialogues(write(tmp_path / "a.json", [record]), strict=False)
    assert len(query.phrases) == 1


def test_a_name_that_is_neither_path_nor_hub_name_is_refused():
    with pytest.raises(DataError, match="no such file"):
        read("./nowhere.json")


@pytest.mark.data
def test_the_published_sample_reads(data_dir: Path):
    queries = read(str(data_dir / "privacy_annotation"))
    assert len(queries) == 30
    assert sum(bool(query.phrases) for query in queries) == 5
    assert sum(len(query.phrases) for query in queries) == 21


@pytest.mark.data
def test_every_training_phrase_is_located(data_dir: Path):
    queries = read(str(data_dir / "real_train"))
    records = [json.loads(path.read_text()) for path in sorted((data_dir / "real_train").glob("*.json"))]
    wanted = sum(len(t["privacy"]) for file in records for r in file for t in r["conversation"])
    found = sum(len(query.phrases) for query in queries)
    assert found >= 0.99 * wanted
