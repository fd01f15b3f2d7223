"""The manipulation checks of Guo et al. 2026 (C.1 and C.2): does the data show what it was made to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel

from limen_eval.cider.rows import pairwise_agreement
from limen_eval.datasets.ratings import LABELS, Participant, by_context
from limen_eval.report.tables import Cell, percent, table

BOOTSTRAP_SEED = 42
RESAMPLES = 2000


class ManipulationChecks(BaseModel):
    """All figures as fractions. Intervals: 95 %, bootstrap over users (2,000 resamples)."""

    n_users: int
    n_boundaries: int
    n_contexts: int
    users_by_n_scenarios: dict[int, int]
    yes_rate: float
    yes_rates: dict[str, float]
    within_user_agreement: float
    within_user_agreement_interval: tuple[float, float]
    within_user_hamming: float
    """Of nine variants, on how many two boundaries of one user differ on average."""
    within_user_hamming_interval: tuple[float, float]
    users_who_vary: float
    """Share of users whose boundary differs in at least one pair of contexts."""
    monotone_granularity: float
    """Share of boundaries whose acceptance never rises with granularity."""
    monotone_identifiability: float
    inter_user_agreement: float
    inter_user_agreement_range: tuple[float, float]
    contexts_by_stratum: dict[str, int]


def manipulation_checks(participants: Sequence[Participant]) -> ManipulationChecks:
    """Compute every check from the ratings."""
    answers = np.array([b.accepts for one in participants for b in one.boundaries], dtype=int)
    cube = answers.reshape(-1, 3, 3)
    agreements = [pairwise_agreement([b.accepts for b in one.boundaries]) for one in participants]
    within = np.array([agreement for agreement in agreements if agreement is not None])
    low, high = _interval(within)
    contexts = by_context(participants)
    inter = [
        agreement
        for rated in contexts.values()
        if (agreement := pairwise_agreement([a for _, a in rated])) is not None
    ]
    counts: dict[int, int] = {}
    for one in participants:
        counts[len(one.boundaries)] = counts.get(len(one.boundaries), 0) + 1
    return ManipulationChecks(
        n_users=len(participants),
        n_boundaries=len(answers),
        n_contexts=len(contexts),
        users_by_n_scenarios=dict(sorted(counts.items(), reverse=True)),
        yes_rate=float(answers.mean()),
        yes_rates={label: float(rate) for label, rate in zip(LABELS, answers.mean(axis=0), strict=True)},
        within_user_agreement=float(within.mean()),
        within_user_agreement_interval=(low, high),
        within_user_hamming=float(9 * (1 - within.mean())),
        within_user_hamming_interval=(9 * (1 - high), 9 * (1 - low)),
        users_who_vary=float(np.mean([len({b.accepts for b in one.boundaries}) > 1 for one in participants])),
        monotone_granularity=float(np.mean((np.diff(cube, axis=1) <= 0).all(axis=(1, 2)))),
        monotone_identifiability=float(np.mean((np.diff(cube, axis=2) <= 0).all(axis=(1, 2)))),
        inter_user_agreement=float(np.mean(inter)),
        inter_user_agreement_range=(min(inter), max(inter)),
        contexts_by_stratum={
            "top": sum(a >= 0.62 for a in inter),
            "middle": sum(0.53 <= a < 0.62 for a in inter),
            "bottom": sum(a < 0.53 for a in inter),
        },
    )


def _interval(values: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    means = values[rng.integers(0, len(values), (RESAMPLES, len(values)))].mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def checks_text(checks: ManipulationChecks) -> str:
    """The checks beside what the paper prints."""
    low, high = checks.within_user_agreement_interval
    hamming_low, hamming_high = checks.within_user_hamming_interval
    rows: list[list[Cell]] = [
        ["users", checks.n_users, "169"],
        ["boundaries", checks.n_boundaries, "1650"],
        ["contexts", checks.n_contexts, "320"],
        ["yes rate %", percent(checks.yes_rate), "49.89"],
        [
            "within-user agreement",
            f"{checks.within_user_agreement:.2f} [{low:.2f}, {high:.2f}]",
            "0.64 [0.62, 0.66]",
        ],
        [
            "within-user Hamming distance",
            f"{checks.within_user_hamming:.2f} [{hamming_low:.2f}, {hamming_high:.2f}]",
            "3.22 [3.05, 3.38]",
        ],
        ["users who vary %", percent(checks.users_who_vary), "100"],
        ["monotone along granularity %", percent(checks.monotone_granularity), "81.27"],
        ["monotone along identifiability %", percent(checks.monotone_identifiability), "79.09"],
        ["inter-user agreement", f"{checks.inter_user_agreement:.2f}", "0.59"],
        ["its range", "{:.2f} to {:.2f}".format(*checks.inter_user_agreement_range), "0.40 to 1.00"],
        [
            "contexts, top / middle / bottom",
            " / ".join(map(str, checks.contexts_by_stratum.values())),
            "115 / 100 / 105",
        ],
    ]
    published = ("73.76", "56.91", "36.73", "67.64", "51.03", "33.33", "55.94", "44.42", "29.21")
    rows += [
        [f"yes rate {label} %", percent(rate), paper]
        for (label, rate), paper in zip(checks.yes_rates.items(), published, strict=True)
    ]
    return table(["check", "here", "paper"], rows)
