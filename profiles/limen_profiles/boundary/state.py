"""One user's state in the daemon: learns from each choice as it is made, predicts without the database."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from limen_profiles.boundary.cells import Array
from limen_profiles.boundary.explanation import Tally
from limen_profiles.boundary.meanings import Meanings
from limen_profiles.boundary.person import probability
from limen_profiles.boundary.prior import Prior, shipped_prior
from limen_profiles.boundary.resemblance import Resemblance
from limen_profiles.boundary.traits import Reader, Traits, joined, phrase_number
from limen_profiles.prediction import Choice, Item, Prediction

DAY_MS = 86_400_000
CAPACITY = 1024
"""Choices in use. Beyond it the oldest quarter is dropped; they have faded most."""
STALE_SHARE = 1 / 16
"""Of the half-life: after so long the weights are computed anew."""
LEAST_WEIGHT = 1e-3
ROWS_AT_ONCE = 64
"""Of the whitening matrix: rows that are read twice in a row stay in the processor's cache."""


class UserState:
    """Fits `limen_profiles.prediction.Predictor`. Not thread-safe.

    With C the covariance of the choices and L its Cholesky factor, `_whitening` holds the inverse of L: one
    more choice is one more row of it (n^2 operations, not n^3). It is computed anew on the first prediction,
    after a stretch of time that changes the weights, and when old choices are dropped.
    """

    def __init__(
        self, half_life_days: float | None, meanings: Meanings | None = None, *, prior: Prior | None = None
    ) -> None:
        self._half_life_days = half_life_days
        self._half_life_ms = None if half_life_days is None else half_life_days * DAY_MS
        self._prior = prior = prior or shipped_prior()
        self._meanings = meanings or Meanings()
        self._reader = Reader(prior, self._meanings)
        self._resemblance = Resemblance(prior)
        self._choices: list[Choice] = []
        self._ranks: Counter[int] = Counter()
        self._moment = 0
        self._traits: Traits | None = None
        self._tally = Tally()
        self._whitening = np.zeros((CAPACITY, CAPACITY))
        self._white = np.zeros(0)
        """The surprises of the choices, whitened."""
        self._pull = np.zeros(0)
        self._solved_at_ms: int | None = None
        """None: the whitening is out of date."""

    def learn(self, choice: Choice) -> None:
        if len(self._choices) == CAPACITY:
            self._forget_oldest()
        self._choices.append(choice)
        self._tally.add(choice)
        if self._solved_at_ms is None:
            return
        number = phrase_number(choice.item)
        if number is not None:
            self._reader.understood.learn(number)
        traits = self._read_next([choice.item])
        self._count(choice)
        self._grow(traits, choice)

    def predict(self, items: Sequence[Item], *, now_ms: int) -> list[Prediction]:
        if not items:
            return []
        if self._is_stale(now_ms):
            self._solve(now_ms)
        traits = self._read_next(items)
        score = traits.expected
        if self._traits is not None:
            score = score + self._resemblance.between(traits, self._traits) @ self._pull
        found = []
        for item, p_accept in zip(items, probability(score), strict=True):
            told = self._tally.explain(item)
            found.append(Prediction(float(p_accept), told.number, told.weight, told.why, told.reason))
        return found

    def used(self, item: Item, *, now_ms: int, most: int = 20) -> list[tuple[Choice, float]]:
        """The choices that moved the prediction for `item` most, each with its signed push (probability)."""
        if self._is_stale(now_ms):
            self._solve(now_ms)
        if self._traits is None:
            return []
        pushes = self._resemblance.between(self._read_next([item]), self._traits)[0] * self._pull / 2
        order = np.argsort(-np.abs(pushes))[:most]
        return [(self._choices[i], float(pushes[i])) for i in order]

    def covariance(self, items: Sequence[Item], *, now_ms: int) -> tuple[Array, Array]:
        """(n, n): how the answers to `items` still vary together, on the scale -1 to +1, given the choices;
        and (n,): the variance that one choice about each would keep however often it was made."""
        if self._is_stale(now_ms):
            self._solve(now_ms)
        asked = self._read_next(items)
        left = self._resemblance.between(asked, asked)
        if self._traits is not None:
            n = len(self._choices)
            half = self._whitening[:n, :n] @ self._resemblance.between(self._traits, asked)
            left = left - half.T @ half
        return left, self._resemblance.noise(asked)

    # Meaning

    def texts_lacking(self, items: Sequence[Item]) -> dict[int, str]:
        """The phrases, by number, whose vectors are not there and could move a prediction: those of a kind
        of thing that a choice has been made about."""
        return self._lacking(item for item in items if self._ranks[self._reader.kind(item)])

    def choices_lacking(self) -> dict[int, str]:
        """The phrases of choices, by number, whose vectors are not there; the newest first."""
        return self._lacking(choice.item for choice in reversed(self._choices))

    def renewed(self) -> Self | None:
        """A state from the same choices that takes up the vectors that have come; None: it would be the same.

        Cheap; its first prediction is not (n^3), and can be made in another thread.
        """
        if self._solved_at_ms is None or not self._reader.understood.is_behind():
            return None
        fresh = type(self)(self._half_life_days, self._meanings, prior=self._prior)
        fresh._choices = list(self._choices)
        fresh._reader.understood.take_over(self._reader.understood)
        return fresh

    def _lacking(self, items: Iterable[Item]) -> dict[int, str]:
        found: dict[int, str] = {}
        for item in items:
            number = phrase_number(item)
            if item.tier == "secret":
                continue  # a look never hangs on what a password means
            if number is not None and item.phrase and self._reader.understood.lacks(number):
                found[number] = item.phrase
        return found

    # The covariance of the choices

    def _is_stale(self, now_ms: int) -> bool:
        if self._solved_at_ms is None:
            return True
        if self._half_life_ms is None:
            return False
        return abs(now_ms - self._solved_at_ms) > STALE_SHARE * self._half_life_ms

    def _solve(self, now_ms: int) -> None:
        self._choices.sort(key=lambda choice: choice.at_ms)
        self._tally = Tally(self._choices)
        numbers = (phrase_number(choice.item) for choice in self._choices)
        self._reader.understood.settle(number for number in numbers if number is not None)
        self._ranks.clear()
        self._moment = 0
        self._traits = None
        self._solved_at_ms = now_ms
        if not self._choices:
            return
        moments, ranks = [], []
        for choice in self._choices:
            moments.append(float(self._moment))
            ranks.append(float(self._ranks[self._reader.kind(choice.item)]))
            self._count(choice)
        traits = self._reader.read([choice.item for choice in self._choices], moments, ranks)
        weights = np.array([self._weight(choice, now_ms) for choice in self._choices])
        covariance = self._resemblance.between(traits, traits)
        covariance[np.diag_indices_from(covariance)] += self._resemblance.noise(traits) / weights
        n = len(self._choices)
        self._whitening[:n, :n] = np.tril(np.linalg.inv(np.linalg.cholesky(covariance)))
        self._traits = traits
        self._white = self._whitening[:n, :n] @ (_signs(self._choices) - traits.expected)
        self._pull = self._white @ self._whitening[:n, :n]

    def _grow(self, new: Traits, choice: Choice) -> None:
        """One more row."""
        n = len(self._choices) - 1
        own = float(
            self._resemblance.between(new, new)[0, 0] + self._resemblance.noise(new)[0] / choice.weight
        )
        surprise = 2.0 * choice.accepted - 1.0 - float(new.expected[0])
        if self._traits is None:
            explained, row = np.zeros(0), np.zeros(0)
            self._traits = new
        else:
            explained, row = self._whiten(self._resemblance.between(self._traits, new)[:, 0])
            self._traits = joined(self._traits, new)
        spread = math.sqrt(max(own - float(explained @ explained), 1e-9))
        white = (surprise - float(explained @ self._white)) / spread
        self._whitening[n, :n] = -row / spread
        self._whitening[n, n] = 1.0 / spread
        self._white = np.append(self._white, white)
        self._pull = np.append(self._pull - row * (white / spread), white / spread)

    def _whiten(self, cross: Array) -> tuple[Array, Array]:
        """`w`, the whitening matrix times `cross`, and `w` times the matrix; both (n,). It is triangular."""
        n = len(cross)
        explained, row = np.empty(n), np.zeros(n)
        for begin in range(0, n, ROWS_AT_ONCE):
            end = min(begin + ROWS_AT_ONCE, n)
            block = self._whitening[begin:end, :end]
            explained[begin:end] = block @ cross[:end]
            row[:end] += explained[begin:end] @ block
        return explained, row

    def _read_next(self, items: Sequence[Item]) -> Traits:
        """Items as if each were the next choice."""
        ranks = [float(self._ranks[self._reader.kind(item)]) for item in items]
        return self._reader.read(items, [float(self._moment)] * len(items), ranks)

    def _count(self, choice: Choice) -> None:
        self._ranks[self._reader.kind(choice.item)] += 1
        self._moment += 1

    def _weight(self, choice: Choice, now_ms: int) -> float:
        fade = 1.0
        if self._half_life_ms is not None:
            fade = 0.5 ** (max(0, now_ms - choice.at_ms) / self._half_life_ms)
        return max(choice.weight * fade, LEAST_WEIGHT)

    def _forget_oldest(self) -> None:
        self._choices.sort(key=lambda choice: choice.at_ms)
        del self._choices[: CAPACITY // 4]
        self._tally = Tally(self._choices)
        self._solved_at_ms = None


def _signs(choices: Sequence[Choice]) -> Array:
    return np.array([1.0 if choice.accepted else -1.0 for choice in choices])
