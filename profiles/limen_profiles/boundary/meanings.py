"""What phrases mean, as vectors of a sentence encoder: in memory alone, while the profile is open.

A vector tells nearly as much as its phrase, so none is ever stored. Those of phrases that are stored can be
made again; those of rejected phrases go with the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

Vectors = np.ndarray[Any, np.dtype[np.float32]]
Booleans = np.ndarray[Any, np.dtype[np.bool_]]
REMEMBERED = 2048
"""Vectors kept beside those that a predictor works with."""


class Embedding(NamedTuple):
    """`vectors`: (n, d), of length 1 each, for n texts in order. `encoder`: which model made them; vectors
    of two encoders are never compared."""

    encoder: str
    vectors: Vectors


Embed = Callable[[Sequence[str], float], Embedding | None]
"""Texts, and how many seconds the caller can wait. None: there is no encoder, or no answer in that time.
Blocks no longer; never raises."""


class Meanings:
    """Vectors by the number of their phrase. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: dict[int, Vectors] = {}
        self._encoder: str | None = None
        self._age = 0

    @property
    def age(self) -> int:
        """How often everything was forgotten."""
        return self._age

    @property
    def encoder(self) -> str | None:
        """The model that made the vectors."""
        return self._encoder

    def get(self, number: int) -> Vectors | None:
        return self._vectors.get(number)

    def put(self, numbers: Sequence[int], embedding: Embedding, *, age: int) -> None:
        """One vector for each number. Those of another encoder are forgotten. `age`: what it was when they
        were asked for; when everything was forgotten since, they are too."""
        with self._lock:
            if age != self._age:
                return
            if embedding.encoder != self._encoder:
                self._vectors = {}
                self._encoder = embedding.encoder
            self._vectors.update(zip(numbers, embedding.vectors, strict=True))
            while len(self._vectors) > REMEMBERED:
                del self._vectors[next(iter(self._vectors))]

    def clear(self) -> None:
        with self._lock:
            self._vectors = {}
            self._age += 1


class Understood:
    """The vectors that one state of a predictor works with.

    Whether a phrase has a vector stays as it was when the state first learned from it: covariances in which
    a phrase is its vector here and only itself there belong to no Gaussian process. `settle` begins anew.
    """

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._encoder = meanings.encoder
        self._settled: dict[int, Vectors | None] = {}
        self._has_vectors = False
        """Whether one of the settled phrases has one."""

    def settle(self, numbers: Iterable[int]) -> None:
        """From now on these phrases are the learned ones, with the vectors there are now."""
        before = self._settled if self._is_current() else {}
        self._encoder = self._meanings.encoder
        self._settled = {}
        for number in numbers:
            vector = before.get(number)
            self._settled[number] = self._meanings.get(number) if vector is None else vector
        self._look_for_vectors()

    def take_over(self, other: Understood) -> None:
        """Begin with what `other` works with, as far as the encoder is the same."""
        if other._is_current():
            self._encoder, self._settled = other._encoder, dict(other._settled)
            self._look_for_vectors()

    def learn(self, number: int) -> None:
        """One more phrase is learned from."""
        if number not in self._settled:
            self._settled[number] = vector = self._now(number)
            self._has_vectors = self._has_vectors or vector is not None

    def lacks(self, number: int) -> bool:
        """Whether a vector for this phrase is still to be made."""
        return self._settled.get(number) is None and self._now(number) is None

    def is_behind(self) -> bool:
        """Whether vectors have come that `settle` would take up."""
        if not self._is_current():
            return True
        return any(
            vector is None and self._meanings.get(number) is not None
            for number, vector in self._settled.items()
        )

    def rows(self, numbers: Sequence[int]) -> tuple[Vectors, Booleans]:
        """(n, d): the vectors, zero where there is none; and (n,): where there is one."""
        found = [
            self._settled[number] if number in self._settled else self._now(number) for number in numbers
        ]
        width = next((len(vector) for vector in found if vector is not None), 1)
        nothing = np.zeros(width, dtype=np.float32)
        rows = np.stack([nothing if vector is None else vector for vector in found])
        return rows, np.array([vector is not None for vector in found])

    def _now(self, number: int) -> Vectors | None:
        return self._meanings.get(number) if self._is_current() else None

    def _is_current(self) -> bool:
        """Vectors that another encoder made wait for `settle`."""
        if self._encoder is None and not self._has_vectors:
            self._encoder = self._meanings.encoder
        return self._encoder == self._meanings.encoder

    def _look_for_vectors(self) -> None:
        self._has_vectors = any(vector is not None for vector in self._settled.values())
