"""An annotated query as training sees it, whatever file format it came from."""

from __future__ import annotations

import hashlib
import re
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from limen_daemon.detector.script import is_han
from limen_daemon.findings import Category, Level, Subject

Language = Literal["en", "zh"]


class MarkedPhrase(BaseModel):
    """One disclosing phrase at code points `[start, end)` of its query. Unknown attributes are None."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    start: int = Field(ge=0)
    end: int = Field(ge=1)
    category: Category | None = None
    subject: Subject | None = None
    granularity: Level | None = None
    identifiability: Level | None = None
    information: str = ""

    @model_validator(mode="after")
    def _range_is_not_empty(self) -> Self:
        if self.start >= self.end:
            raise ValueError("a phrase must have start < end")
        return self


class AnnotatedQuery(BaseModel):
    """A query with its phrases, sorted by start and not overlapping. No phrases: it discloses nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: str
    text: str = Field(min_length=1)
    phrases: tuple[MarkedPhrase, ...] = ()
    language: Language
    source: str
    """Which collection it came from, for weights and for scores by kind of text."""
    annotated: bool = True
    """False: nobody has looked for phrases, so having none says nothing; only teachers speak of it."""


KEY_LENGTH = 16


def key_of(text: str) -> str:
    """What stands for a query's text in files that may not hold it: the first hex digits of its sha256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_LENGTH]


_BLANK_RUN = re.compile(r"\s+")


def locate(phrase: str, text: str, taken: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Where `phrase` stands in `text` outside the ranges already taken; None when it is nowhere.

    First exactly; then, since published phrases were copied by a language model, without regard to case
    and to the amount of white space.
    """
    words = [re.escape(word) for word in _BLANK_RUN.split(phrase.strip()) if word]
    if not words:
        return None
    for pattern in (re.escape(phrase), r"\s*".join(words)):
        flags = 0 if pattern == re.escape(phrase) else re.IGNORECASE
        matches = list(re.finditer(pattern, text, flags))
        whole = [match for match in matches if _stands_alone(text, match.start(), match.end())]
        for match in [*whole, *matches]:
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                return match.start(), match.end()
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` begins and ends at word boundaries, for telling "man" from "woman"."""
    left = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum() and text[start].isascii())
    right = end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum() and text[end].isascii())
    return left and right


def language_of(text: str) -> Language:
    """Chinese when at least a fifth of the letters are Han, else the spaced languages' bucket (en)."""
    return "zh" if is_han(text) else "en"
