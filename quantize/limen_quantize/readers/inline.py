"""Reads the project's own corpus: one query per line with inline marks (`quantize/corpus/GUIDE.md`)."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import ValidationError

from limen_daemon.findings import Category, Subject
from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase, language_of

_MARK = re.compile(r"\[\[(.*?)\]\]")
_FIELDS = 5
_SUBJECTS = {"s": Subject.USER, "r": Subject.RELATED}


def read_inline(path: Path) -> list[AnnotatedQuery]:
    """Read `kind<TAB>query` lines with marks `[[phrase|category|who|GI|information]]`.

    Raises: `DataError` naming file and line for the first line that breaks the format.
    """
    queries: list[AnnotatedQuery] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        kind, tab, marked = line.partition("\t")
        if not tab or "\t" in marked:
            raise DataError(f"{where}: needs a kind, one tab and a query")
        text, phrases = parse_marks(marked.replace("\\n", "\n"), where)
        if not text.strip():
            raise DataError(f"{where}: the query is empty")
        queries.append(
            AnnotatedQuery(
                id=f"{path.stem}:{number}",
                text=text,
                phrases=phrases,
                language=language_of(text),
                source=f"corpus/{path.stem}/{kind.strip()}",
            )
        )
    if not queries:
        raise DataError(f"{path}: holds no query")
    return queries


def parse_marks(marked: str, where: str) -> tuple[str, tuple[MarkedPhrase, ...]]:
    """Split a marked query into its plain text and the phrases with their offsets in it."""
    plain: list[str] = []
    phrases: list[MarkedPhrase] = []
    length = position = 0
    for match in _MARK.finditer(marked):
        fields = match.group(1).split("|")
        if len(fields) != _FIELDS:
            raise DataError(f"{where}: a mark needs {_FIELDS} fields, phrase|category|who|GI|information")
        phrase, category, who, levels, information = fields
        before = marked[position : match.start()]
        plain += [before, phrase]
        start = length + len(before)
        length = start + len(phrase)
        position = match.end()
        if category not in list(Category):
            raise DataError(f"{where}: no category is called {category!r}")
        if who not in _SUBJECTS:
            raise DataError(f"{where}: who must be s or r")
        if not re.fullmatch("[123][123]", levels):
            raise DataError(f"{where}: GI must be two digits from 1 to 3")
        try:
            phrases.append(
                MarkedPhrase(
                    start=start,
                    end=length,
                    category=Category(category),
                    subject=_SUBJECTS[who],
                    granularity=int(levels[0]),
                    identifiability=int(levels[1]),
                    information=information,
                )
            )
        except ValidationError as error:
            raise DataError(f"{where}: {error.errors()[0]['msg']}") from None
    plain.append(marked[position:])
    text = "".join(plain)
    if "[[" in text or "]]" in text:
        raise DataError(f"{where}: a mark is not closed")
    return text, tuple(phrases)
