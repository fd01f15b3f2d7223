"""A second annotator's reading of the training queries, beside the annotation they came with.

Where two careful annotators differ, either answer is as good as the other, and a network that sees only one
of them learns its accidents. A reading marks every phrase that one could mark and says of each whether it
is sure; training then draws, each time a query is seen, the first annotation or the second, and of the
second's doubtful phrases as many as the first annotator marked on average. That is learning from soft labels,
without a loss of its own.

A file holds no text: one JSON object a line, `{"query": sha256 of the text (its first 16 hex digits),
"phrases": [[start, end, sure], ...]}`, code points and 1 or 0, sorted and not overlapping.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from limen_quantize.config import SecondReading
from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

KEY_LENGTH = 16


class Span(NamedTuple):
    """Code points `[start, end)`, and whether the annotator was sure of it."""

    start: int
    end: int
    sure: bool


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    query: str = Field(min_length=KEY_LENGTH, max_length=KEY_LENGTH)
    phrases: tuple[tuple[int, int, int], ...]


_LINE = TypeAdapter(_Line)


def key_of(text: str) -> str:
    """What stands for a query's text in a file of readings."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_LENGTH]


class Readings:
    """All second readings of a run."""

    def __init__(self, config: SecondReading) -> None:
        """Read the files. Raises: `DataError` naming file and line for the first line that cannot be used."""
        self._config = config
        self._spans: dict[str, tuple[Span, ...]] = {}
        for file in config.files:
            self._spans |= _read(file)

    def draw(self, query: AnnotatedQuery, rng: random.Random) -> AnnotatedQuery:
        """`query` as one of its annotators marked it; as it came when nobody else read it.

        A phrase that both marked keeps what is known about it; of others only the place is known. When a
        query holds doubtful phrases only, it is drawn as a whole whether it discloses.
        """
        spans = self._spans.get(key_of(query.text))
        if spans is None or rng.random() >= self._config.share:
            return query
        if any(span.sure for span in spans):
            kept = [span for span in spans if span.sure or rng.random() < self._config.doubtful]
        else:
            kept = list(spans) if rng.random() < self._config.doubtful_alone else []
        if kept and kept[-1].end > len(query.text):
            return query
        return query.model_copy(update={"phrases": tuple(_phrase(span, query) for span in kept)})


def _phrase(span: Span, query: AnnotatedQuery) -> MarkedPhrase:
    for known in query.phrases:
        if known.start < span.end and span.start < known.end:
            return known.model_copy(update={"start": span.start, "end": span.end})
    return MarkedPhrase(start=span.start, end=span.end)


def _read(file: str) -> dict[str, tuple[Span, ...]]:
    found: dict[str, tuple[Span, ...]] = {}
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror})") from None
    for number, line in enumerate(lines, start=1):
        where = f"{file}, line {number}"
        try:
            entry = _LINE.validate_python(json.loads(line))
        except (ValueError, ValidationError):
            raise DataError(
                f"{where}: must be an object with query and phrases, as {__name__} says"
            ) from None
        spans = tuple(Span(start, end, bool(sure)) for start, end, sure in entry.phrases)
        ends = [0, *(span.end for span in spans)]
        if any(span.start >= span.end or span.start < end for span, end in zip(spans, ends, strict=False)):
            raise DataError(f"{where}: phrases must be sorted and may not be empty or overlap")
        found[entry.query] = spans
    return found
