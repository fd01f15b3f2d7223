"""One case with its prediction: a row of `predictions.jsonl`."""

from __future__ import annotations

from typing import Protocol as TypingProtocol

import numpy as np
from pydantic import BaseModel, ConfigDict

from limen_eval.cider.split import Case
from limen_eval.datasets.ratings import Answers, Condition, Participant, Role, by_context
from limen_eval.datasets.ratings import Context as RatingContext

THRESHOLD = 0.5


class Row(BaseModel):
    """Everything that scoring and the analyses need, so that `limen eval rescore` needs no data."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    index: int
    k: int
    user: str
    scenario: str
    role: Role
    condition: Condition
    truth: Answers
    accept: tuple[float, ...] | None
    """P(accept) of the nine variants; None: the prediction failed and is counted, not scored."""
    detail: str | None = None
    """Why it failed."""
    group: tuple[float, ...] | None
    """Mean answers of the other users in the same context; None if there are none."""
    agreement: float | None
    """Mean pairwise agreement of all users in the context."""

    @property
    def key(self) -> str:
        return f"{self.k}|{self.user}|{self.scenario}"

    @property
    def predicted(self) -> Answers | None:
        """The nine predicted answers."""
        return None if self.accept is None else tuple(p >= THRESHOLD for p in self.accept)


class Emit(TypingProtocol):
    """Called once for each case, in any order; `accept` None is a failure."""

    def __call__(self, case: Case, accept: tuple[float, ...] | None, detail: str | None = None) -> None: ...


class ContextFacts:
    """What the other users did in each context; for the analyses, never for a predictor."""

    def __init__(self, participants: tuple[Participant, ...]) -> None:
        self._answers = by_context(participants)

    def group(self, case: Case) -> tuple[float, ...] | None:
        """Leave-one-out mean of the nine answers in the case's context (Guo et al. 2026, C.4)."""
        others = [a for one, a in self._answers[case.context] if one.id != case.participant.id]
        return tuple(float(v) for v in np.mean(others, axis=0)) if others else None

    def agreement(self, context: RatingContext) -> float | None:
        """Mean pairwise agreement in a context."""
        return pairwise_agreement([answers for _, answers in self._answers[context]])


def pairwise_agreement(answers: list[Answers]) -> float | None:
    """Mean over unordered pairs of the share of equal answers; None for fewer than two."""
    if len(answers) < 2:
        return None
    matrix = np.array(answers, dtype=bool)
    pairs = [
        float((matrix[i] == matrix[j]).mean()) for i in range(len(matrix)) for j in range(i + 1, len(matrix))
    ]
    return float(np.mean(pairs))
