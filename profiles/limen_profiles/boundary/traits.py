"""What the predictor keeps of an item: numbers to compare it by, and no text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limen_profiles.boundary.cells import Array, Integers, cell_index
from limen_profiles.boundary.meanings import Booleans, Meanings, Understood, Vectors
from limen_profiles.boundary.norms import category_norm
from limen_profiles.boundary.prior import Prior
from limen_profiles.boundary.situation import Coded, Coder, Situation
from limen_profiles.prediction import Item

ANOTHER_PERSON = "related"


class Traits(NamedTuple):
    """`coded`: the situations; `cells`, `kinds` (category and subject) and `phrases` are numbers, (n,);
    `ranks`: place among the choices of its kind; `shared`: (n, q); `expected`: (n,); `vectors`: (n, d),
    zero where `known`, (n,), is false."""

    coded: Coded
    cells: Integers
    kinds: Integers
    phrases: Integers
    ranks: Array
    shared: Array
    expected: Array
    vectors: Vectors
    known: Booleans


class Reader:
    """Turns items into traits. A phrase without a vector in `meanings` is alike in meaning to itself only."""

    def __init__(self, prior: Prior, meanings: Meanings) -> None:
        self._prior = prior
        self.understood = Understood(meanings)
        self._coder = Coder()
        self._kinds: dict[tuple[str, str], int] = {}
        self._unknown = 0
        self._populations: dict[tuple[str, str, str, int], tuple[Array, Array]] = {}

    def read(self, items: Sequence[Item], moments: Sequence[float], ranks: Sequence[float]) -> Traits:
        situations = [situation_of(item, moment) for item, moment in zip(items, moments, strict=True)]
        cells = np.array([cell_index(one.granularity, one.identifiability) for one in items], dtype=np.int64)
        seen = [
            self._population(item, situation, int(cell))
            for item, situation, cell in zip(items, situations, cells, strict=True)
        ]
        phrases = [self._phrase(item) for item in items]
        vectors, known = self.understood.rows(phrases)
        return Traits(
            coded=self._coder.code(situations),
            cells=cells,
            kinds=np.array([self.kind(item) for item in items], dtype=np.int64),
            phrases=np.array(phrases, dtype=np.int64),
            ranks=np.array(ranks, dtype=np.float64),
            shared=np.stack([one[1] for one in seen]),
            expected=np.array([one[0] for one in seen]),
            vectors=vectors,
            known=known,
        )

    def kind(self, item: Item) -> int:
        return self._kinds.setdefault((item.category, item.subject), len(self._kinds))

    def _population(self, item: Item, situation: Situation, cell: int) -> tuple[Array, Array]:
        key = (item.category, item.subject, item.recipient, cell)
        if key not in self._populations:
            features = self._coder.features([situation])
            cells = np.array([cell], dtype=np.int64)
            self._populations[key] = (
                self._prior.expected(features, cells)[0],
                self._prior.shared(features, cells)[0],
            )
        return self._populations[key]

    def _phrase(self, item: Item) -> int:
        number = phrase_number(item)
        if number is None:
            self._unknown += 1
            return -self._unknown
        return number


def phrase_number(item: Item) -> int | None:
    """A number that tells equal phrases; None for an unknown phrase (the user removed it): it equals none."""
    if item.phrase_hash is not None:
        return int.from_bytes(item.phrase_hash[:7], "big")
    if item.phrase is None:
        return None
    plain = " ".join(item.phrase.casefold().split())
    digest = hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=7).digest()
    return int.from_bytes(digest, "big")


def situation_of(item: Item, moment: float) -> Situation:
    """The person tells it themselves. The site is the channel; an AI provider is none of CIDER's audiences,
    so the population speaks about it as about their average."""
    return Situation(
        role="data_sender",
        subject="others" if item.subject == ANOTHER_PERSON else "self",
        recipient=item.recipient,
        channel=item.site,
        assisted=False,
        moment=moment,
        norm=category_norm(item.category),
    )


def joined(a: Traits, b: Traits) -> Traits:
    """The traits of both, in order."""
    width = max(a.vectors.shape[1], b.vectors.shape[1])
    coded = Coded(*(np.concatenate(pair) for pair in zip(a.coded, b.coded, strict=True)))
    return Traits(
        coded=coded,
        cells=np.concatenate([a.cells, b.cells]),
        kinds=np.concatenate([a.kinds, b.kinds]),
        phrases=np.concatenate([a.phrases, b.phrases]),
        ranks=np.concatenate([a.ranks, b.ranks]),
        shared=np.concatenate([a.shared, b.shared]),
        expected=np.concatenate([a.expected, b.expected]),
        vectors=np.concatenate([_widened(a.vectors, width), _widened(b.vectors, width)]),
        known=np.concatenate([a.known, b.known]),
    )


def _widened(vectors: Vectors, width: int) -> Vectors:
    """Zero rows made before the first vector was there have one column."""
    if vectors.shape[1] == width:
        return vectors
    return np.zeros((len(vectors), width), dtype=np.float32)
