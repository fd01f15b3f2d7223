"""Reads the published privacy-annotation dataset (Zeng et al. 2026), in both of its shapes.

Dialogues: `{"id", "conversation": [{"user", "assistant", "privacy": [...]}]}`.
Single queries: `{"id", "user" | "query" | "text", "privacy" | "privacies": [...]}`.
A privacy item is `{"phrase", "privacy information"}`; Limen's own files add `category`, `subject`,
`granularity` and `identifiability`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from limen_daemon.findings import Category, Level, Subject
from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase, language_of, locate


class PrivacyItem(BaseModel):
    """One annotated phrase as published. Published categories are free text and are not ours: dropped."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, hide_input_in_errors=True)

    phrase: str = Field(min_length=1)
    information: str = Field(default="", alias="privacy information")
    category: Category | None = None
    subject: Subject | None = None
    granularity: Level | None = None
    identifiability: Level | None = None

    @field_validator("information", mode="before")
    @classmethod
    def _only_sentences(cls, value: object) -> object:
        return value if isinstance(value, str) else ""

    @field_validator("category", mode="before")
    @classmethod
    def _only_our_categories(cls, value: object) -> object:
        return value if value in list(Category) else None


class Turn(BaseModel):
    """One user turn; `privacy` is empty when it discloses nothing."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    user: str
    assistant: str = ""
    privacy: list[PrivacyItem] = Field(default_factory=list)

    @field_validator("assistant", "privacy", mode="before")
    @classmethod
    def _null_is_empty(cls, value: object, info: Any) -> object:
        if value is None:
            return "" if info.field_name == "assistant" else []
        return value


_QUERY_FIELDS = ("user", "query", "user_query", "text", "prompt")
_PRIVACY_FIELDS = ("privacy", "privacies", "privacy_phrases", "phrases")


def read_dialogues(path: Path, *, strict: bool = True) -> list[AnnotatedQuery]:
    """Read a `.json` (a list) or `.jsonl` file. `strict` false drops phrases that are not in their query.

    Raises: `DataError` naming file and id for a missing field, or a phrase that is not in its query.
    """
    try:
        content = path.read_text(encoding="utf-8")
        records = (
            [json.loads(line) for line in content.splitlines() if line.strip()]
            if path.suffix == ".jsonl"
            else json.loads(content)
        )
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno}: not valid JSON ({error.msg})") from None
    if not isinstance(records, list) or not records:
        raise DataError(f"{path}: must hold a list of dialogues or queries, and at least one")
    return parse_records(records, where=str(path), strict=strict)


def parse_records(records: Iterable[Any], *, where: str, strict: bool = True) -> list[AnnotatedQuery]:
    """Turn published records (of either shape) into annotated queries; `where` goes into error messages."""
    queries: list[AnnotatedQuery] = []
    seen: set[str] = set()
    for position, record in enumerate(records):
        if not isinstance(record, dict):
            raise DataError(f"{where}, item {position}: must be an object")
        name = str(record.get("id", position))
        if name in seen:
            raise DataError(f"{where}, id {name}: this id occurs twice")
        seen.add(name)
        source = str(record.get("source") or name.split("_")[0])
        for number, turn in enumerate(_turns(record, f"{where}, id {name}")):
            if turn.user.strip():
                queries.append(_annotated(turn, f"{name}#{number}", source, where, strict))
    return queries


def _turns(record: dict[str, Any], where: str) -> Iterator[Turn]:
    raw = record.get("conversation")
    if raw is None:
        raw = [_as_turn(record, where)]
    if not isinstance(raw, list):
        raise DataError(f"{where}: conversation must be a list")
    for number, item in enumerate(raw):
        try:
            yield Turn.model_validate(item)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "turn"
            raise DataError(f"{where}, turn {number}: {field}: {first['msg']}") from None


def _as_turn(record: dict[str, Any], where: str) -> dict[str, Any]:
    query = next((record[name] for name in _QUERY_FIELDS if name in record), None)
    if query is None:
        raise DataError(f"{where}: has neither a conversation nor a query")
    privacy: object = next((record[name] for name in _PRIVACY_FIELDS if name in record), [])
    return {"user": query, "assistant": record.get("assistant"), "privacy": privacy}


def _annotated(turn: Turn, name: str, source: str, where: str, strict: bool) -> AnnotatedQuery:
    taken: list[tuple[int, int]] = []
    phrases: list[MarkedPhrase] = []
    # Long phrases first, so that a short one inside a long one looks for another place of its own.
    for item in sorted(turn.privacy, key=lambda item: -len(item.phrase)):
        found = locate(item.phrase, turn.user, taken)
        if found is None:
            if strict and locate(item.phrase, turn.user, []) is None:
                raise DataError(f"{where}, id {name}: a phrase is not in its query")
            continue
        taken.append(found)
        attributes = item.model_dump(exclude={"phrase"})
        phrases.append(MarkedPhrase(start=found[0], end=found[1], **attributes))
    phrases.sort(key=lambda phrase: phrase.start)
    return AnnotatedQuery(
        id=name, text=turn.user, phrases=tuple(phrases), language=language_of(turn.user), source=source
    )
