"""Scores during training: query accuracy and phrase recall, precision and F1 as published.

Zeng et al. 2026, section 4.4: two phrases match if one contains the other (without spaces, newlines
and commas, lower-cased) or if their Rouge-L F exceeds 0.5; recall averages over queries with gold
phrases, precision over queries with predicted ones. `limen eval privacy` is the full evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from limen_quantize.queries import Language

_SQUEEZED = re.compile(r"[\s,，]")
_WORD = re.compile(r"[a-z0-9]+")


class Scores(BaseModel):
    """Fractions from 0 to 1 over `n_queries` queries."""

    model_config = ConfigDict(frozen=True)

    n_queries: int
    accuracy: float
    recall: float
    precision: float
    f1: float
    alarms_per_1000_words: float = 0.0
    """Phrases found in queries that disclose nothing, per 1,000 of their words (or Han characters)."""

    def __str__(self) -> str:
        return (
            f"accuracy {self.accuracy:.3f}, phrase P {self.precision:.3f} R {self.recall:.3f} "
            f"F1 {self.f1:.3f}, {self.alarms_per_1000_words:.1f} false alarms per 1,000 words "
            f"({self.n_queries} queries)"
        )


def score(
    gold: Sequence[Sequence[str]],
    predicted: Sequence[Sequence[str]],
    language: Language,
    *,
    n_words: Sequence[int] = (),
) -> Scores:
    """Score the phrases predicted for each query against the gold ones (empty: discloses nothing).

    `n_words`: each query's length, for the rate of false alarms (0 when not given).
    """
    correct = sum(bool(g) == bool(p) for g, p in zip(gold, predicted, strict=True))
    recalls: list[float] = []
    precisions: list[float] = []
    for wanted, found in zip(gold, predicted, strict=True):
        if wanted:
            recalls.append(sum(any(matches(w, f, language) for f in found) for w in wanted) / len(wanted))
        if found:
            precisions.append(sum(any(matches(w, f, language) for w in wanted) for f in found) / len(found))
    recall, precision = _mean(recalls), _mean(precisions)
    clean = [
        (len(found), n) for wanted, found, n in zip(gold, predicted, n_words, strict=False) if not wanted
    ]
    clean_words = sum(n for _, n in clean)
    return Scores(
        n_queries=len(gold),
        accuracy=correct / len(gold) if gold else 0.0,
        recall=recall,
        precision=precision,
        f1=2 * recall * precision / (recall + precision) if recall + precision else 0.0,
        alarms_per_1000_words=1000 * sum(n for n, _ in clean) / clean_words if clean_words else 0.0,
    )


@lru_cache(maxsize=1 << 16)
def matches(one: str, other: str, language: Language) -> bool:
    """Whether two phrases count as the same."""
    left, right = _SQUEEZED.sub("", one).lower(), _SQUEEZED.sub("", other).lower()
    return left in right or right in left or rouge_l(one, other, language) > 0.5


def rouge_l(one: str, other: str, language: Language) -> float:
    """Rouge-L F of two phrases, by words (Chinese: by characters)."""
    left, right = _units(one, language), _units(other, language)
    if not left or not right:
        return 0.0
    row = [0] * (len(right) + 1)
    for a in left:
        diagonal = 0
        for column, b in enumerate(right, start=1):
            diagonal, row[column] = row[column], diagonal + 1 if a == b else max(row[column], row[column - 1])
    common = row[-1]
    return 2 * common / (len(left) + len(right))


def word_count(text: str) -> int:
    """Words separated by white space; every Han character is one."""
    spaced = "".join(" " if "一" <= char <= "鿿" else char for char in text)
    return len(spaced.split()) + sum("一" <= char <= "鿿" for char in text)


def _units(phrase: str, language: Language) -> list[str]:
    if language == "zh":
        return [char for char in phrase.lower() if not char.isspace()]
    return _WORD.findall(phrase.lower()) or phrase.lower().split()


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
