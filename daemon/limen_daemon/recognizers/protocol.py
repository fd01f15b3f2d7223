"""What a recognizer is: a deterministic reader of one kind of value, whatever the model says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Owner(StrEnum):
    """Whose a value is, as far as the words around it say."""

    USER = "user"
    RELATED = "related"
    """Someone or something close to the user ("my wife's number")."""
    OTHER = "other"
    """The text says it is another person's ("his number", a quoted mail)."""
    UNKNOWN = "unknown"
    """Nothing in the text ties it to anyone."""


@dataclass(frozen=True, slots=True)
class Match:
    """A value found in a text: `[start, end)` in code points and its kind (a key of `kinds.KINDS`).

    `owner` is set only where the recognizer itself knows it; otherwise `ownership.whose` decides.
    """

    start: int
    end: int
    kind: str
    owner: Owner | None = None
    score: float = 0.99


class Recognizer(Protocol):
    """Finds every value of its kinds. Runs in time linear in the text's length; never raises on any text."""

    def __call__(self, text: str) -> Iterable[Match]: ...
