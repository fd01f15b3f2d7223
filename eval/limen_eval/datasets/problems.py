"""What can be wrong with a record, and what happens then: refused, or skipped by an explicit flag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from limen_eval.errors import DataError

SHOWN = 20


class ProblemKind(StrEnum):
    """One name per kind of bad data; these are the values of `--skip-bad`."""

    NOT_JSON = "not-json"
    MISSING_FIELD = "missing-field"
    WRONG_TYPE = "wrong-type"
    PHRASE_NOT_IN_QUERY = "phrase-not-in-query"
    DUPLICATE_ID = "duplicate-id"
    EMPTY_FILE = "empty-file"
    WRONG_LANGUAGE = "wrong-language"


@dataclass(frozen=True)
class Problem:
    """One bad record: where it is and what is wrong. Never holds the text of the query."""

    kind: ProblemKind
    file: str
    line: int
    id: str
    detail: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.id}: {self.kind}: {self.detail}"


@dataclass
class ProblemPolicy:
    """Collects problems; kinds in `skipped` leave the record out, any other refuses the whole data set."""

    skipped: Collection[ProblemKind] = ()
    problems: list[Problem] = field(default_factory=list)

    def add(self, problem: Problem) -> None:
        """Note a bad record."""
        self.problems.append(problem)

    def counts(self) -> dict[str, int]:
        """How many records of each kind were left out."""
        return dict(Counter(str(p.kind) for p in self.problems))

    def check(self) -> None:
        """Raise `DataError` naming every problem (the first 20) whose kind may not be skipped."""
        refused = [p for p in self.problems if p.kind not in self.skipped]
        if not refused:
            return
        kinds = sorted({str(p.kind) for p in refused})
        flags = " ".join(f"--skip-bad {kind}" for kind in kinds)
        lines = [f"  {p}" for p in refused[:SHOWN]]
        count, them = ("1 bad record", "it") if len(refused) == 1 else (f"{len(refused)} bad records", "them")
        if len(refused) > SHOWN:
            lines.append(f"  and {len(refused) - SHOWN} more")
        raise DataError("\n".join([f"{count}; leave {them} out with {flags}", *lines]))
