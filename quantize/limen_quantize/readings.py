"""A second annotator's reading of the training queries, beside the annotation they came with.

Where two careful annotators differ, either answer is as good as the other, and a network that sees only one
of them learns its accidents. A reading marks every phrase that one could mark and says of each whether it
is sure; training then draws, each time a query is seen, the first annotation or the second, and of the
second's doubtful phrases about as many as the first annotator marked. That is learning from soft labels,
without a loss of its own.

A file holds no text: one JSON object a line, `{"query": sha256 of the text (its first 16 hex digits),
"phrases": [[start, end, sure], ...]}`, code points and 1 or 0, sorted and not overlapping.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from limen_quantize.config import SecondReading
from limen_quantize.errors import DataError
from limen_quantize.queries import KEY_LENGTH, AnnotatedQuery, MarkedPhrase, key_of


class Span(NamedTuple):
    """Code points `[start, end)`, and whether the annotator was sure of it."""

    start: int
    end: int
    sure: bool


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    query: str = Field(pattern=rf"^[0-9a-f]{{{KEY_LENGTH}}}$")
    phrases: tuple[tuple[int, int, int], ...]


_LINE = TypeAdapter(_Line)


class Readings:
    """All second readings of a run."""

    def __init__(self, config: SecondReading) -> None:
        """Read the files. Raises: `DataError` naming file and line for the first line that cannot be used."""
        self._config = config
        self._spans: dict[str, tuple[Span, ...]] = {}
        for file in config.files:
            for key, spans in read_readings(file).items():
                if key in self._spans:
                    raise DataError(f"{file}: reads query {key} again, which another file has read")
                self._spans[key] = spans

    def of(self, query: AnnotatedQuery) -> tuple[Span, ...] | None:
        """The second reading of `query`, None when nobody else read it.

        Raises: `DataError` for one that reaches beyond the text.
        """
        key = key_of(query.text)
        spans = self._spans.get(key)
        if spans and spans[-1].end > len(query.text):
            raise DataError(f"the second reading of query {key} marks more than its text holds")
        return spans

    def draw(self, query: AnnotatedQuery, rng: random.Random) -> AnnotatedQuery:
        """`query` as one of its annotators marked it; as it came when nobody else read it.

        A phrase that touches one of the first's keeps what is known about that one; of others only the place
        is known. When a query holds doubtful phrases only, it is drawn as a whole whether it discloses.
        """
        spans = self.of(query)
        if spans is None or rng.random() >= self._config.share:
            return query
        if any(span.sure for span in spans):
            kept = [span for span in spans if span.sure or rng.random() < self._config.doubtful]
        else:
            kept = list(spans) if rng.random() < self._config.doubtful_alone else []
        return query.model_copy(update={"phrases": tuple(_phrase(span, query) for span in kept)})


def _phrase(span: Span, query: AnnotatedQuery) -> MarkedPhrase:
    known = max(query.phrases, key=lambda phrase: _common(span, phrase), default=None)
    if known is None or _common(span, known) <= 0:
        return MarkedPhrase(start=span.start, end=span.end)
    return known.model_copy(update={"start": span.start, "end": span.end})


def _common(span: Span, phrase: MarkedPhrase) -> int:
    return min(span.end, phrase.end) - max(span.start, phrase.start)


def read_readings(file: str) -> dict[str, tuple[Span, ...]]:
    """The readings in a file, by the keys of the texts.

    Raises: `DataError` naming file and line for the first line that cannot be used.
    """
    found: dict[str, tuple[Span, ...]] = {}
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{file}: cannot be read ({type(error).__name__})") from None
    for number, line in enumerate(lines, start=1):
        where = f"{file}, line {number}"
        try:
            entry = _LINE.validate_python(json.loads(line))
        except (ValueError, ValidationError):
            raise DataError(
                f"{where}: must be an object with query and phrases, as {__name__} says"
            ) from None
        spans = tuple(Span(start, end, bool(sure)) for start, end, sure in entry.phrases)
        if not _in_order(spans):
            raise DataError(f"{where}: phrases must be sorted and may not be empty or overlap")
        if entry.query in found:
            raise DataError(f"{where}: this query has been read before")
        found[entry.query] = spans
    if not found:
        raise DataError(f"{file}: holds no readings")
    return found


def _in_order(spans: Sequence[Span]) -> bool:
    ends = [0, *(span.end for span in spans)]
    return all(end <= span.start < span.end for span, end in zip(spans, ends, strict=False))
