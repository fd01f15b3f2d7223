"""What a disclosure happens in: whose information, who is told, how, and in which role the person answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from limen_profiles.boundary.cells import BASIS, N_CELLS, Array, Integers
from limen_profiles.boundary.norms import Norm

ROLES = ("data_sender", "data_subject", "data_recipient")
SUBJECTS = ("self", "others")
RECIPIENTS = ("close_network", "professional_or_role_based_network", "public_network")
CHANNELS = ("private", "internal", "public")
"""The values of CIDER's `Role`, `scenario_type`, `data_recipient_type` and `transmission_principle_type`."""


@dataclass(frozen=True, slots=True)
class Situation:
    """One occasion of telling something.

    A value outside the tuples above is a kind of its own to the person (it equals only itself), and to the
    population it is the average of the known kinds. `scenario` names what other people may have rated too.
    `moment` is the place in the person's own sequence of choices. `norm` is how acceptable people in general
    are expected to find it (`norms.py`).
    """

    role: str
    subject: str
    recipient: str
    channel: str
    assisted: bool
    scenario: str | None = None
    moment: float = 0.0
    norm: Norm = ()


class Coded(NamedTuple):
    """Situations as arrays: `kinds` is (n, 3) with subject, recipient and channel; `moments` is (n,);
    `norms` is (n,), the norm's mean component, 0 where nothing is known."""

    kinds: Integers
    moments: Array
    norms: Array


class Coder:
    """Gives every value of an attribute a number, and makes the population's features."""

    def __init__(self, scenarios: Sequence[str] = ()) -> None:
        self._numbers: list[dict[str, int]] = [
            {value: n for n, value in enumerate(known)} for known in (SUBJECTS, RECIPIENTS, CHANNELS)
        ]
        self._scenarios = {name: n for n, name in enumerate(scenarios)}

    def code(self, situations: Sequence[Situation]) -> Coded:
        kinds = np.array(
            [
                [
                    numbers.setdefault(value, len(numbers))
                    for numbers, value in zip(
                        self._numbers, (one.subject, one.recipient, one.channel), strict=True
                    )
                ]
                for one in situations
            ],
            dtype=np.int64,
        ).reshape(-1, 3)
        return Coded(
            kinds,
            np.array([one.moment for one in situations], dtype=np.float64),
            np.array([_components(one.norm)[0] for one in situations], dtype=np.float64),
        )

    def features(self, situations: Sequence[Situation]) -> Array:
        """(n, `n_features`), the columns grouped as in `feature_groups`."""
        rows = np.zeros((len(situations), self.n_features))
        for row, one in zip(rows, situations, strict=True):
            role, subject = _share(one.role, ROLES), _share(one.subject, SUBJECTS)
            assisted = np.array([not one.assisted, one.assisted], dtype=np.float64)
            parts = [
                np.ones(1),
                role,
                subject,
                _share(one.recipient, RECIPIENTS),
                _share(one.channel, CHANNELS),
                np.outer(role, subject).ravel(),
                assisted,
                np.outer(role, assisted).ravel(),
                _components(one.norm),
            ]
            plain = np.concatenate(parts)
            row[: len(plain)] = plain
            if one.scenario in self._scenarios:
                row[len(plain) + self._scenarios[one.scenario]] = 1.0
        return rows

    @property
    def n_features(self) -> int:
        return N_PLAIN_FEATURES + len(self._scenarios)

    def feature_groups(self) -> Integers:
        """For each feature the index into `FEATURE_GROUPS`."""
        sizes = (*_PLAIN_SIZES, len(self._scenarios))
        return np.repeat(np.arange(len(sizes)), sizes)


FEATURE_GROUPS = (
    "mean",
    "role",
    "subject",
    "recipient",
    "channel",
    "role_subject",
    "assisted",
    "role_assisted",
    *(f"norm_{component}" for component in range(N_CELLS)),
    "scenario",
)
"""Features of one group share a prior variance. Each of a norm's components is a group of its own: what is
expected of the slope along identifiability bears on that slope, hardly on the rest."""
_PLAIN_SIZES = (1, 3, 2, 3, 3, 6, 2, 6, *(1,) * N_CELLS)
N_PLAIN_FEATURES = sum(_PLAIN_SIZES)


def _share(value: str, known: tuple[str, ...]) -> Array:
    if value in known:
        return np.array([float(value == one) for one in known])
    return np.full(len(known), 1.0 / len(known))


def _components(norm: Norm) -> Array:
    """(9,): the norm in the cell basis."""
    return np.asarray(norm, dtype=np.float64) @ BASIS if norm else np.zeros(N_CELLS)
