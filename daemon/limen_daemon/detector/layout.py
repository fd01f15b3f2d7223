"""What each output column of a token classifier means, read from the model's own `config.json`.

One classifier holds every head; `id2label` names column i "head:label", for instance `tag:B`,
`category:health`, `leak:yes`. Nothing else in Limen knows column numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict

from limen_daemon.errors import ModelDamaged
from limen_daemon.findings import Category, Subject

HEADS: dict[str, tuple[str, ...]] = {
    "tag": ("O", "B", "I"),
    "category": tuple(Category),
    "subject": tuple(Subject),
    "granularity": ("1", "2", "3"),
    "identifiability": ("1", "2", "3"),
    "leak": ("no", "yes"),
}
"""The heads that every Limen token classifier has, each with the labels that it must have."""


class LabelLayout(BaseModel):
    """The columns of each head, in the order of `HEADS`: `columns["tag"]` is (O, B, I)."""

    model_config = ConfigDict(frozen=True)

    columns: dict[str, tuple[int, ...]]
    width: int
    """How many columns the classifier has in all."""

    @classmethod
    def standard(cls) -> Self:
        """The layout that training gives a new model: the heads of `HEADS`, one after the other."""
        names = [f"{head}:{label}" for head, labels in HEADS.items() for label in labels]
        return cls.from_id2label(dict(enumerate(names)))

    @classmethod
    def from_id2label(cls, id2label: Mapping[int, str] | Mapping[str, str]) -> Self:
        """Read `config.json`'s `id2label` (its keys are strings in JSON).

        Raises: `ModelDamaged` when a head or one of its labels is missing.
        """
        column_of = {name: int(column) for column, name in id2label.items()}
        columns: dict[str, tuple[int, ...]] = {}
        for head, labels in HEADS.items():
            missing = [label for label in labels if f"{head}:{label}" not in column_of]
            if missing:
                raise ModelDamaged(
                    f"config.json names no column for {head}:{missing[0]}; "
                    "this is not a Limen detector (train one with `limen quantize train`)"
                )
            columns[head] = tuple(column_of[f"{head}:{label}"] for label in labels)
        return cls(columns=columns, width=len(column_of))

    def id2label(self) -> dict[int, str]:
        """The inverse of `from_id2label`, for writing `config.json`."""
        return {
            column: f"{head}:{label}"
            for head, labels in HEADS.items()
            for label, column in zip(labels, self.columns[head], strict=True)
        }
