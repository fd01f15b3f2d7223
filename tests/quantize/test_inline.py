"""The inline-mark corpus reader, on written lines and on the project's own corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from limen_daemon.findings import Category, Subject
from limen_quantize.errors import DataError
from limen_quantize.readers import read, read_inline

OWN_CORPUS = Path(__file__).resolve().parents[2] / "quantize" / "corpus"


def test_marks_become_offsets_in_the_plain_text(corpus_file: Path):
    first = read_inline(corpus_file)[0]
    assert first.text == "I have diabetes and I am worried"
    assert [first.text[p.start : p.end] for p in first.phrases] == ["diabetes", "worried"]
    assert first.phrases[0].category is Category.HEALTH
    assert first.phrases[0].subject is Subject.USER
    assert (first.phrases[0].granularity, first.phrases[0].identifiability) == (2, 1)
    assert first.phrases[0].information == "The user has diabetes."


def test_language_and_source_are_known(corpus_file: Path):
    queries = read_inline(corpus_file)
    assert [query.language for query in queries] == ["en", "en", "en", "zh", "zh"]
    assert queries[0].source == f"corpus/{corpus_file.stem}/health"


def test_a_written_line_break_becomes_one(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("email\tHi\\n[[I quit|activity|s|21|The user quits the job.]]\n", encoding="utf-8")
    (query,) = read_inline(path)
    assert query.text == "Hi\nI quit"
    assert query.text[query.phrases[0].start : query.phrases[0].end] == "I quit"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("health I have no tab", "one tab"),
        ("health\tI have [[flu|health|s|21]]", "5 fields"),
        ("health\tI have [[flu|weather|s|21|The user has flu.]]", "'weather'"),
        ("health\tI have [[flu|health|x|21|The user has flu.]]", "who must be"),
        ("health\tI have [[flu|health|s|24|The user has flu.]]", "GI must be"),
        ("health\tI have [[flu|health|s|21|The user has flu.", "not closed"),
        ("health\tI have [[|health|s|21|The user has flu.]]", "start < end"),
        ("health\t ", "empty"),
    ],
)
def test_a_broken_line_is_named_by_file_and_number(tmp_path: Path, line: str, said: str):
    path = tmp_path / "broken.txt"
    path.write_text(f"travel\tfine\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=said) as caught:
        read_inline(path)
    assert "broken.txt, line 2" in str(caught.value)
    assert "flu." not in str(caught.value)


def test_an_empty_file_is_refused(tmp_path: Path):
    path = tmp_path / "empty.txt"
    path.write_text("\n\n", encoding="utf-8")
    with pytest.raises(DataError, match="no query"):
        read_inline(path)


def test_the_own_corpus_reads_whole():
    queries = read(str(OWN_CORPUS / "en1.txt")) + read(str(OWN_CORPUS / "zh1.txt"))
    assert len(queries) > 500
    assert {query.language for query in queries} == {"en", "zh"}
    assert all(a.end <= b.start for q in queries for a, b in zip(q.phrases, q.phrases[1:], strict=False))
