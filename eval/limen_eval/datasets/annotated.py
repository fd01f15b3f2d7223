"""Annotated user queries in both shapes of the data set of Zeng et al. 2025.

Dialogues: `{"id", "conversation": [{"user", "assistant", "privacy": [...]}, ...]}`.
Single queries: `{"id", "user", "assistant", "privacy": [...]}`, the id ending in `_part<turn>`.
Privacy items: `{"phrase", "privacy information"}`, in our own sets also `category`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from limen_eval.datasets.json_items import Item, read_items
from limen_eval.datasets.language import foreign, languages_of
from limen_eval.datasets.problems import Problem, ProblemKind, ProblemPolicy
from limen_eval.errors import DataError
from limen_eval.metrics.rouge import Language

DATA_SUFFIXES = (".json", ".jsonl")
_PART = re.compile(r"^(?P<id>.+)_part(?P<turn>\d+)$")


class _Record(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True, populate_by_name=True)


class GoldPhrase(_Record):
    """A phrase that discloses something, and what it tells (None where only phrases were annotated)."""

    phrase: str = Field(min_length=1)
    information: str | None = Field(default=None, alias="privacy information")
    category: str | None = None


class Turn(_Record):
    """One user query with what came back and the annotation."""

    user: str
    assistant: str | None = None
    privacy: list[GoldPhrase]


class Dialogue(_Record):
    id: str = Field(min_length=1)
    source: str | None = None
    conversation: list[Turn] = Field(min_length=1)


class SingleQuery(Turn):
    id: str = Field(min_length=1)
    source: str | None = None


class AnnotatedQuery(BaseModel):
    """One query to score. `id` and `turn` (from 0) together are unique."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    id: str
    turn: int
    source: str
    language: Language
    text: str
    context: str | None
    """The assistant's answer to the turn before, if there was one."""
    gold: tuple[GoldPhrase, ...]

    @property
    def key(self) -> str:
        return f"{self.id}#{self.turn}"


def read_annotated(
    paths: Sequence[Path], *, language: Language | None, policy: ProblemPolicy
) -> list[AnnotatedQuery]:
    """Read all queries of the files, in file order; `language` None: see `languages_of`.

    Raises: `DataError` naming every bad record, unless the policy skips its kind.
    """
    queries: list[AnnotatedQuery] = []
    seen: set[str] = set()
    for path in paths:
        queries += _read_file(path, language, policy, seen)
    policy.check()
    if not queries:
        raise DataError(f"no usable query in {', '.join(map(str, paths))}")
    return queries


def _read_file(
    path: Path, language: Language | None, policy: ProblemPolicy, seen: set[str]
) -> list[AnnotatedQuery]:
    rows: list[tuple[SingleQuery, int, str | None, int]] = []
    for item in read_items(path, policy):
        for row in _rows(item, path, policy):
            query, turn, _, line = row
            if f"{query.id}#{turn}" in seen:
                policy.add(
                    Problem(
                        ProblemKind.DUPLICATE_ID, str(path), line, query.id, f"turn {turn} is there already"
                    )
                )
                continue
            seen.add(f"{query.id}#{turn}")
            if _phrases_in_query(query, path, line, policy):
                rows.append(row)
    texts = [query.user for query, *_ in rows]
    spoken = [language] * len(texts) if language else languages_of(texts)
    wrong = set(foreign(texts, language)) if language else set()
    for index in sorted(wrong):
        query, _, _, line = rows[index]
        policy.add(
            Problem(ProblemKind.WRONG_LANGUAGE, str(path), line, query.id, f"is not in language {language}")
        )
    return [
        AnnotatedQuery(
            id=query.id,
            turn=turn,
            source=query.source or query.id.split("_")[0].split("-")[0],
            language=spoken[index],
            text=query.user,
            context=context,
            gold=tuple(query.privacy),
        )
        for index, (query, turn, context, _) in enumerate(rows)
        if index not in wrong
    ]


def _rows(item: Item, path: Path, policy: ProblemPolicy) -> list[tuple[SingleQuery, int, str | None, int]]:
    """The queries of one record, each with its turn, its context and its line."""
    raw_id = item.value.get("id") if isinstance(item.value, dict) else None
    name = raw_id if isinstance(raw_id, str) and raw_id else f"record at line {item.line}"
    try:
        if isinstance(item.value, dict) and "conversation" not in item.value and "user" in item.value:
            query = SingleQuery.model_validate(item.value)
            part = _PART.match(query.id)
            if part is None:
                return [(query, 0, None, item.line)]
            return [(query.model_copy(update={"id": part["id"]}), int(part["turn"]), None, item.line)]
        dialogue = Dialogue.model_validate(item.value)
    except ValidationError as error:
        for fault in error.errors(include_input=False, include_url=False):
            where = ".".join(map(str, fault["loc"])) or "the record"
            kind = ProblemKind.MISSING_FIELD if fault["type"] == "missing" else ProblemKind.WRONG_TYPE
            policy.add(Problem(kind, str(path), item.line, name, f"{where}: {fault['msg'].lower()}"))
        return []
    rows: list[tuple[SingleQuery, int, str | None, int]] = []
    context = None
    for index, turn in enumerate(dialogue.conversation):
        query = SingleQuery(
            id=dialogue.id,
            source=dialogue.source,
            user=turn.user,
            assistant=turn.assistant,
            privacy=turn.privacy,
        )
        rows.append((query, index, context, item.line))
        context = turn.assistant or None
    return rows


def _phrases_in_query(query: SingleQuery, path: Path, line: int, policy: ProblemPolicy) -> bool:
    absent = [number for number, gold in enumerate(query.privacy, 1) if gold.phrase not in query.user]
    for number in absent:
        detail = f"phrase {number} of {len(query.privacy)} does not occur in its query"
        policy.add(Problem(ProblemKind.PHRASE_NOT_IN_QUERY, str(path), line, query.id, detail))
    return not absent
