"""One query with its gold annotation and a prediction: a row of `predictions.jsonl`."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from limen_eval.datasets.annotated import AnnotatedQuery
from limen_eval.datasets.language import word_count
from limen_eval.metrics.rouge import Language

Failure = Literal["unreadable", "not_checked"]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Item(_Row):
    """A phrase and what it tells. A model may answer with something that is not a string."""

    phrase: str
    information: Any = None
    category: str | None = None


class Prediction(_Row):
    """What a method says about one query."""

    items: tuple[Item, ...] = ()
    phrases: tuple[str, ...] | None = None
    """The answer to a separate question for phrases only; None: the phrases of `items`."""
    leaks: bool | None = None
    """A separate judgement on the query; None: it leaks if there is an item."""
    leak_score: float | None = None
    latency_ms: float | None = None
    failure: Failure | None = None
    """`unreadable`: an answer without usable JSON, scored as empty, as published.
    `not_checked`: no answer at all; counted, and left out of every mean."""


class Row(_Row):
    """Everything that scoring needs, so that `limen eval rescore` needs neither model nor data."""

    index: int
    id: str
    turn: int
    source: str
    language: Language
    n_words: int
    gold: tuple[Item, ...]
    prediction: Prediction

    @property
    def key(self) -> str:
        return f"{self.id}#{self.turn}"

    @property
    def gold_phrases(self) -> list[str]:
        return [item.phrase for item in self.gold]

    @property
    def predicted_phrases(self) -> list[str]:
        if self.prediction.phrases is not None:
            return list(self.prediction.phrases)
        return [item.phrase for item in self.prediction.items]

    @property
    def gold_information(self) -> list[str]:
        return [item.information for item in self.gold if isinstance(item.information, str)]

    @property
    def predicted_information(self) -> list[object]:
        """Items without any information are left out, as in the published scripts."""
        return [item.information for item in self.prediction.items if item.information is not None]


class Emit(Protocol):
    """Called once for each query, in any order."""

    def __call__(self, query: AnnotatedQuery, prediction: Prediction) -> None: ...


def make_row(index: int, query: AnnotatedQuery, prediction: Prediction) -> Row:
    """Join a query and its prediction."""
    return Row(
        index=index,
        id=query.id,
        turn=query.turn,
        source=query.source,
        language=query.language,
        n_words=word_count(query.text),
        gold=tuple(Item(phrase=g.phrase, information=g.information, category=g.category) for g in query.gold),
        prediction=prediction,
    )
