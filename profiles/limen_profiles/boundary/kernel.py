"""How much two of a person's answers have in common, before any of them is seen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limen_profiles.boundary.cells import Array
from limen_profiles.boundary.situation import Coded

USER_TERMS = (
    "person",
    "subject",
    "recipient",
    "channel",
    "situation",
    "norm",
    "recent",
    "recent_subject",
)
"""What two answers of one person can share: being theirs, each attribute of the situation, all three at
once, the norm (whether this person goes by what people in general accept, more or less than others do), and
lying close together in time (alone, and about the same subject)."""
RECENT_CHOICES = 1.5
"""After so many further choices a recent mood has faded to 1/e."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """Prior variances, each per component of the cell basis.

    `user`: (terms, 9); `population`: (feature groups, 9); `noise`: (9,). Fitted by `tuning`.
    """

    user: Array
    population: Array
    noise: Array

    def save(self, path: Path) -> None:
        np.savez(path, user=self.user, population=self.population, noise=self.noise)

    @classmethod
    def load(cls, path: Path) -> Hyperparameters:
        with np.load(path, allow_pickle=False) as stored:
            return cls(stored["user"], stored["population"], stored["noise"])


def user_terms(a: Coded, b: Coded, *, ordered: bool = True) -> Array:
    """(terms, len(a), len(b)), each between 0 and 1, but for norms their product. Without `ordered`, time
    says nothing."""
    same = (a.kinds[:, None, :] == b.kinds[None, :, :]).astype(np.float64)
    subject, recipient, channel = same[..., 0], same[..., 1], same[..., 2]
    recent = np.exp(-np.abs(a.moments[:, None] - b.moments[None, :]) / RECENT_CHOICES)
    if not ordered:
        recent = np.zeros_like(recent)
    return np.stack(
        [
            np.ones_like(subject),
            subject,
            recipient,
            channel,
            subject * recipient * channel,
            a.norms[:, None] * b.norms[None, :],
            recent,
            recent * subject,
        ]
    )
