"""A reproducible part of an annotated data file, in the file's own shape."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

from limen_quantize.errors import DataError
from limen_quantize.queries import language_of

_TEXT_FIELDS = ("user", "query", "user_query", "text", "prompt")


class Query(NamedTuple):
    """One query as `limen eval privacy` names it: record id and turn."""

    id: str
    turn: int
    text: str


class DataPart(NamedTuple):
    """The chosen records of one file."""

    path: Path
    language: str
    records: list[dict[str, Any]]

    @property
    def queries(self) -> list[Query]:
        """Every user turn of the records, in order."""
        return [
            Query(str(record["id"]), turn.get("turn", number), _text(turn))
            for record in self.records
            for number, turn in enumerate(record.get("conversation") or [record])
        ]

    def write(self, folder: Path) -> Path:
        """The part as a data file."""
        path = folder / f"{self.path.stem}.json"
        path.write_text(json.dumps(self.records, ensure_ascii=False), encoding="utf-8")
        return path


def _text(turn: dict[str, Any]) -> str:
    return next((str(turn[field]) for field in _TEXT_FIELDS if isinstance(turn.get(field), str)), "")


def draw(path: Path, *, limit: int | None, seed: int) -> DataPart:
    """`limit` records of `path` at random (None: all), in file order; the language is that of most queries.

    Raises: `DataError` when the file cannot be read or holds no record.
    """
    try:
        content = path.read_text(encoding="utf-8")
        lines = path.suffix == ".jsonl"
        records = (
            [json.loads(line) for line in content.splitlines() if line] if lines else json.loads(content)
        )
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as JSON ({type(error).__name__}).") from None
    if not isinstance(records, list) or not records:
        raise DataError(f"{path}: holds no list of records.")
    if limit is not None and limit < len(records):
        rng = random.Random(seed)  # noqa: S311  # a reproducible draw, nothing secret
        records = [records[index] for index in sorted(rng.sample(range(len(records)), limit))]
    part = DataPart(path, "en", records)
    chinese = sum(language_of(query.text) == "zh" for query in part.queries)
    return part._replace(language="zh" if 2 * chinese > len(part.queries) else "en")
