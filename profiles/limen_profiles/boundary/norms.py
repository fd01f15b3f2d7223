"""Norms: how acceptable people in general are expected to find a disclosure, apart from its levels.

What a scenario and its wordings say decides much of what is accepted there, and answers of people who were
asked about other scenarios do not tell it. Two tables of expectations ship, numbers only:

- `cider_norms.json`: for each scenario of CIDER (Guo et al. 2026) and each role, how many of 100 people would
  accept each of the nine wordings. Estimates of a large language model that read the narrative and the
  wordings and no answer of any participant; the mean of four readings.
- `category_norms.json`: for each category of phrase, how many more (or fewer) of 100 people would accept
  telling an assistant such a phrase than an average one of the same granularity and identifiability.
  Estimates of the same kind for 1,654 phrases of `quantize/corpus`, fitted by category and levels.

How much such an expectation counts is learned from CIDER's histories like everything else (`population.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from limen_profiles.boundary.cells import N_CELLS
from limen_profiles.errors import InvalidRequest

PEOPLE = 100.0
Accepting = Annotated[float, Field(ge=0, le=PEOPLE)]
Expected = dict[str, dict[str, Annotated[list[Accepting], Field(min_length=N_CELLS, max_length=N_CELLS)]]]

Norm = tuple[float, ...]
"""Nine numbers, one a cell, on the scale of answers (-1 to +1): how far the expected answer is above what is
usual in that cell. Empty: nothing is known."""


class Norms:
    """Expectations by scenario and role."""

    def __init__(self, expected: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
        """`expected`: of 100 people how many accept, by scenario, role and cell."""
        rows = {(name, role): np.asarray(v) for name, roles in expected.items() for role, v in roles.items()}
        usual = np.mean(list(rows.values()), axis=0) if rows else np.zeros(N_CELLS)
        self._norms: dict[tuple[str, str], Norm] = {
            key: tuple(float(x) for x in (row - usual) / (PEOPLE / 2)) for key, row in rows.items()
        }

    @classmethod
    def read(cls, path: Path) -> Norms:
        """A file like `cider_norms.json`. Raises: `OSError`, `InvalidRequest` when it is none."""
        try:
            return cls(TypeAdapter(Expected).validate_json(path.read_bytes()))
        except ValidationError as error:
            raise InvalidRequest from error

    def of(self, scenario: str, role: str) -> Norm:
        """Empty when this scenario or role is not in the table."""
        return self._norms.get((scenario, role), ())


@cache
def cider_norms() -> Norms:
    """The shipped table for CIDER's sixty scenarios."""
    with resources.as_file(resources.files("limen_profiles").joinpath("data", "cider_norms.json")) as path:
        return Norms.read(path)


def category_norm(category: str) -> Norm:
    """The norm of telling an assistant a phrase of this category; empty for a category without one."""
    more = _by_category().get(category)
    return () if more is None else (more / (PEOPLE / 2),) * N_CELLS


@cache
def _by_category() -> dict[str, float]:
    content = resources.files("limen_profiles").joinpath("data", "category_norms.json").read_bytes()
    return TypeAdapter(dict[str, float]).validate_json(content)
