"""What a boundary predictor gets and gives. The profile works with any that fits `Predictor`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from limen_profiles.boundary.meanings import Meanings
from limen_profiles.records import Decision, Reason

CHOICE_WEIGHT: dict[Decision, float] = {
    "kept": 1.0,
    "allowed_always": 2.0,
    "dismissed": 0.3,
    "sent": 0.3,
    "redacted": 1.0,
    "generalized": 1.0,
    "blocked_always": 2.0,
}
"""How much each kind of choice says. A phrase left in a sent message was perhaps not looked at."""


@dataclass(frozen=True, slots=True)
class Item:
    """One phrase in its context. `phrase` and `information` are None where the profile does not keep them."""

    category: str
    subject: str
    granularity: int
    identifiability: int
    tier: str
    site: str
    recipient: str
    phrase: str | None = None
    information: str | None = None
    phrase_hash: bytes | None = None
    """Tells equal phrases, also rejected ones; None where there is no profile's key to make it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One past choice about an item: `weight` is how much its kind says, before any fading."""

    item: Item
    accepted: bool
    weight: float
    at_ms: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """`p_accept`: 0 to 1. `evidence`: how many of this user's choices weighed in. `evidence_weight`: the same
    with weaker kinds of choice counted for less, none for more than 1. `why`: one sentence."""

    p_accept: float
    evidence: int
    evidence_weight: float
    why: str | None
    """None when there is nothing to explain by."""
    reason: Reason | None = None
    """What `why` says, as data."""


Matrix = np.ndarray[Any, np.dtype[np.float64]]


class Predictor(Protocol):
    """One user's state. Not thread-safe: the profile calls it under its lock."""

    def learn(self, choice: Choice) -> None:
        """Take in one choice. Choices come oldest first, except after an import."""

    def predict(self, items: Sequence[Item], *, now_ms: int) -> list[Prediction]:
        """One prediction for each item, in order."""

    def covariance(self, items: Sequence[Item], *, now_ms: int) -> tuple[Matrix, Matrix]:
        """(n, n): the covariance of the user's answers to `items` (-1 to +1) given the choices so far; and
        (n,): the variance of a single choice around each answer."""

    def texts_lacking(self, items: Sequence[Item]) -> dict[int, str]:
        """The phrases of `items`, by number, whose vectors are not there and could move a prediction."""

    def choices_lacking(self) -> dict[int, str]:
        """The same for the choices learned from, the newest first."""

    def renewed(self) -> Self | None:
        """A state from the same choices that uses vectors which came later than they; None: there are none.
        Its first prediction may take long, and may be made in another thread."""


PredictorFactory = Callable[[float | None, Meanings], Predictor]
"""Makes an empty state. The half-life of a choice is in days; None: choices do not fade."""
