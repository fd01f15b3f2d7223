"""Reading annotated queries: both published shapes, and what happens to bad records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from limen_eval.datasets.annotated import AnnotatedQuery, read_annotated
from limen_eval.datasets.location import privacy_files
from limen_eval.datasets.problems import ProblemKind, ProblemPolicy
from limen_eval.errors import DataError


def make_query(id_: str = "q", user: str = "I teach chess", **changes: Any) -> dict[str, Any]:
    return {"id": id_, "user": user, "assistant": "", "privacy": [{"phrase": "chess"}], **changes}


def read(path: Path, *skipped: ProblemKind, language: Any = None) -> list[AnnotatedQuery]:
    return read_annotated([path], language=language, policy=ProblemPolicy(skipped=skipped))


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(records, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def test_dialogues_and_single_queries_give_the_same_queries(tmp_path: Path) -> None:
    privacy = [{"phrase": "chess", "privacy information": "The user teaches chess."}]
    turns = [
        {"user": "Hello", "assistant": "Hi, what do you do?", "privacy": []},
        {"user": "I teach chess", "assistant": "", "privacy": privacy},
    ]
    dialogues = read(write(tmp_path / "d.json", [{"id": "ShareGPT_x", "conversation": turns}]))
    singles = [{"id": f"ShareGPT_x_part{n}", **turn} for n, turn in enumerate(turns)]
    separate = read(write(tmp_path / "s.json", singles))
    assert [(q.key, q.text, q.gold, q.source) for q in dialogues] == [
        (q.key, q.text, q.gold, q.source) for q in separate
    ]
    assert [q.key for q in dialogues] == ["ShareGPT_x#0", "ShareGPT_x#1"]
    assert dialogues[1].context == "Hi, what do you do?"
    assert dialogues[1].source == "ShareGPT"


def test_json_lines_are_read_like_an_array(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(json.dumps(make_query(f"q{n}")) for n in range(3)) + "\n")
    assert [q.id for q in read(path)] == ["q0", "q1", "q2"]


def test_language_is_the_majority_of_the_file(tmp_path: Path) -> None:
    chinese = [make_query(f"q{n}", "我教国际象棋", privacy=[{"phrase": "象棋"}]) for n in range(9)]
    path = write(tmp_path / "q.json", [*chinese, make_query("q9", "ok", privacy=[])])
    assert {q.language for q in read(path)} == {"zh"}


def test_bilingual_file_gives_each_query_its_own_language(tmp_path: Path) -> None:
    chinese = [make_query(f"z{n}", "我教国际象棋", privacy=[{"phrase": "象棋"}]) for n in range(4)]
    english = [make_query(f"e{n}") for n in range(6)]
    queries = read(write(tmp_path / "q.json", [*chinese, *english]))
    assert [q.language for q in queries] == ["zh"] * 4 + ["en"] * 6


BAD: list[tuple[ProblemKind, dict[str, Any]]] = [
    (ProblemKind.MISSING_FIELD, {"id": "bad", "user": "I teach chess"}),
    (ProblemKind.WRONG_TYPE, make_query("bad", privacy="chess")),
    (ProblemKind.PHRASE_NOT_IN_QUERY, make_query("bad", privacy=[{"phrase": "football"}])),
    (ProblemKind.DUPLICATE_ID, make_query("good")),
]


@pytest.mark.parametrize(("kind", "record"), BAD, ids=[kind for kind, _ in BAD])
def test_bad_record_is_refused_with_file_line_and_id_but_not_its_text(
    kind: ProblemKind, record: dict[str, Any], tmp_path: Path
) -> None:
    path = write(tmp_path / "q.json", [make_query("good"), record])
    line = path.read_text().splitlines().index(" {", 2) + 1
    with pytest.raises(DataError) as refused:
        read(path)
    message = str(refused.value)
    assert f"{path}:{line}: {record['id']}: {kind}" in message
    assert f"--skip-bad {kind}" in message
    assert "chess" not in message
    assert "football" not in message


@pytest.mark.parametrize(("kind", "record"), BAD, ids=[kind for kind, _ in BAD])
def test_bad_record_is_left_out_and_counted_when_its_kind_is_skipped(
    kind: ProblemKind, record: dict[str, Any], tmp_path: Path
) -> None:
    policy = ProblemPolicy(skipped=[kind])
    path = write(tmp_path / "q.json", [make_query("good"), record])
    queries = read_annotated([path], language=None, policy=policy)
    assert [q.id for q in queries] == ["good"]
    assert policy.counts()[kind] >= 1


@pytest.mark.parametrize("text", ["", "  \n", "[]"])
def test_empty_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text(text)
    with pytest.raises(DataError, match="empty-file"):
        read(path)


def test_broken_json_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text('[{"id": "a", "user": "x", "privacy": []},\n{"id": oops}]')
    with pytest.raises(DataError, match=r"q\.json:2: record 2: not-json"):
        read(path)


def test_wrong_language_is_refused_unless_only_a_few_queries_are_foreign(tmp_path: Path) -> None:
    english = [make_query(f"q{n}") for n in range(19)]
    path = write(tmp_path / "q.json", [*english, make_query("zh", "我教国际象棋", privacy=[])])
    assert len(read(path, language="en")) == 20
    with pytest.raises(DataError, match="wrong-language"):
        read(path, language="zh")


def test_file_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_bytes(b"[\xff]")
    with pytest.raises(DataError, match="not UTF-8"):
        read(path)


def test_folder_is_narrowed_by_language_and_missing_data_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("real_en_dev.json", "real_zh_dev.json"):
        write(tmp_path / name, [make_query()])
    assert [p.name for p in privacy_files(str(tmp_path), language="zh", split="test")] == ["real_zh_dev.json"]
    assert len(privacy_files(str(tmp_path), language=None, split="test")) == 2
    monkeypatch.delenv("LIMEN_DATA", raising=False)
    with pytest.raises(DataError, match="no such file or folder"):
        privacy_files("nowhere", language=None, split="test")


def test_table_beside_the_queries_is_no_data_file_of_the_folder_but_a_half_filled_record_is(
    tmp_path: Path,
) -> None:
    write(tmp_path / "queries.json", [make_query()])
    table = tmp_path / "categories.json"
    table.write_text(json.dumps({"Age": {"phrase": ["17 years old"]}}), encoding="utf-8")
    (tmp_path / "half.json").write_text(json.dumps({"user": "I teach chess"}), encoding="utf-8")
    (tmp_path / "broken.json").write_text('{"Age": ', encoding="utf-8")
    found = privacy_files(str(tmp_path), language=None, split="test")
    assert [path.name for path in found] == ["broken.json", "half.json", "queries.json"]
    with pytest.raises(DataError, match="conversation"):
        read(privacy_files(str(table), language=None, split="test")[0])


def test_without_data_option_the_data_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    write(tmp_path / "real" / "a.json", [make_query()])
    monkeypatch.setenv("LIMEN_DATA", str(tmp_path))
    assert privacy_files(None, language=None, split="test") == [tmp_path / "real" / "a.json"]
    assert privacy_files("real", language=None, split="test") == [tmp_path / "real" / "a.json"]


def test_without_any_data_the_hub_cache_is_looked_at_and_nothing_is_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LIMEN_DATA", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(DataError, match="not in the hub's cache"):
        privacy_files(None, language=None, split="test")


def test_hub_data_set_in_the_cache_is_read_by_language_and_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LIMEN_DATA", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    repository = tmp_path / "datasets--Nidhogg-zh--Interaction_Dialogue_with_Privacy"
    snapshot = repository / "snapshots" / "0123abcd"
    for name in ("en/train.json", "en/test.json", "zh/test.json"):
        (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
        write(snapshot / name, [make_query()])
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0123abcd")
    found = privacy_files(None, language="en", split="test")
    assert [str(path.relative_to(snapshot)) for path in found] == ["en/test.json"]


@pytest.mark.data
def test_published_sample_and_own_sets_are_read_whole(data_dir: Path) -> None:
    sizes = {}
    for name in (
        "privacy_annotation/privacy_information_train.json",
        "real/real_en_dev.json",
        "real/real_zh_dev.json",
    ):
        queries = read(data_dir / name)
        sizes[name] = (len(queries), sum(bool(q.gold) for q in queries), sum(len(q.gold) for q in queries))
    assert list(sizes.values()) == [(30, 5, 21), (326, 143, 529), (290, 101, 182)]
    sample = privacy_files(str(data_dir / "privacy_annotation"), language=None, split="test")
    assert [path.name for path in sample] == ["privacy_information_train.json"]
