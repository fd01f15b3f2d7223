"""The answer of the information form: a JSON array of rows, read as it arrives.

A row is `[phrase, category, subject, granularity, identifiability, information]`: the paper's two fields
and the four that a finding carries besides. Rows and not objects, because every repeated key is tokens that
a small model has to write.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from limen_daemon.findings import Category, Finding, Subject

MAX_SPANS = 64


class Row(NamedTuple):
    """One row of an answer, as the model wrote it."""

    phrase: str
    category: str
    subject: str
    granularity: int
    identifiability: int
    information: str


class ScoredRow(NamedTuple):
    """A finished row and the model's confidence in its phrase: geometric mean of the token probabilities."""

    values: tuple[object, ...]
    score: float


def write_rows(rows: Sequence[Row]) -> str:
    """The answer text that a model is trained to write: JSON without spaces, no escapes for non-ASCII."""
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def write_phrases(phrases: Sequence[str]) -> str:
    """The answer text of the phrases form."""
    return json.dumps(list(phrases), ensure_ascii=False, separators=(",", ":"))


class RowReader:
    """Reads an answer piece by piece; `feed` returns the rows that the piece completes.

    `closed` is True once the outer array is closed: nothing that follows belongs to the answer.
    """

    def __init__(self) -> None:
        self.closed = False
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._row: list[str] = []
        self._field = 0
        self._log_probability = 0.0
        self._tokens = 0

    def feed(self, piece: str, probability: float) -> list[ScoredRow]:
        """Take one token's text and its probability."""
        if self._depth == 2 and self._field == 0:
            self._log_probability += math.log(max(probability, 1e-9))
            self._tokens += 1
        return list(self._finished(piece))

    def _finished(self, piece: str) -> Iterator[ScoredRow]:
        for character in piece:
            if self.closed:
                return
            if self._in_string:
                self._row.append(character)
                if self._escaped:
                    self._escaped = False
                elif character == "\\":
                    self._escaped = True
                elif character == '"':
                    self._in_string = False
                continue
            if character == "[":
                self._depth += 1
                if self._depth == 2:
                    self._row, self._field = [], 0
                    self._log_probability, self._tokens = 0.0, 0
            elif character == '"':
                self._in_string = True
            elif character == ",":
                self._field += 1
            if self._depth >= 2:
                self._row.append(character)
            if character == "]":
                self._depth -= 1
                if self._depth == 1:
                    yield self._scored()
                self.closed = self._depth <= 0

    def _scored(self) -> ScoredRow:
        try:
            values = json.loads("".join(self._row))
        except ValueError:
            values = []
        score = math.exp(self._log_probability / self._tokens) if self._tokens else 0.0
        return ScoredRow(tuple(values), min(1.0, score))


class SpanPlacer:
    """Turns rows into findings of one text: a phrase must stand in it word for word.

    Offsets are given in order: the first free occurrence after the last accepted phrase, else the first free
    one anywhere. Rows that do not fit (unknown category, not found, taken, one too many) are dropped.
    """

    def __init__(self, text: str, *, offset: int = 0) -> None:
        self._text = text
        self._offset = offset
        self._cursor = 0
        self._taken: list[tuple[int, int]] = []

    def place(self, row: ScoredRow) -> Finding | None:
        """The finding of `row`, with offsets moved by `offset`, or None when it is not accepted."""
        if len(self._taken) >= MAX_SPANS or len(row.values) != len(Row._fields):
            return None
        phrase, category, subject, granularity, identifiability, information = row.values
        if not isinstance(phrase, str) or not phrase.strip() or not isinstance(information, str):
            return None
        phrase = phrase.strip()
        start = self._free_occurrence(phrase)
        if start is None:
            return None
        try:
            finding = Finding(
                start=start + self._offset,
                end=start + self._offset + len(phrase),
                phrase=phrase,
                category=Category(str(category)),
                subject=Subject(str(subject)),
                granularity=granularity,  # type: ignore[arg-type]  # checked by the model
                identifiability=identifiability,  # type: ignore[arg-type]
                score=row.score,
                information=information,
            )
        except (ValidationError, ValueError):
            return None
        self._taken.append((start, start + len(phrase)))
        self._cursor = start + len(phrase)
        return finding

    def _free_occurrence(self, phrase: str) -> int | None:
        for begin in (self._cursor, 0):
            start = self._text.find(phrase, begin)
            while start != -1:
                end = start + len(phrase)
                if all(end <= taken_start or start >= taken_end for taken_start, taken_end in self._taken):
                    return start
                start = self._text.find(phrase, start + 1)
        return None
