"""Accuracy and the paper's analyses, from rows (Guo et al. 2026, sections 2.3, 4.2 and C.3, C.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel

from limen_eval.cider.rows import Row
from limen_eval.datasets.ratings import LABELS
from limen_eval.metrics.spread import spread

STRATA = {"top": (0.62, 1.01), "middle": (0.53, 0.62), "bottom": (-0.01, 0.53)}
"""Inter-user agreement of a context, lower bound included."""
_TIE = 1e-9


class VariantRates(BaseModel):
    """`fp`: share of rejected items predicted as accepted; `fn`: of accepted ones predicted as rejected."""

    fp: float | None
    fn: float | None
    n: int


class Duel(BaseModel):
    """In how many cases the predicted boundary is nearer to the truth (MAD) than another one."""

    win: int
    tie: int
    lose: int
    not_compared: int


class KScores(BaseModel):
    """All numbers at one k."""

    k: int
    n_predictions: int
    n_failed: int
    n_users: int
    accuracy: float | None
    """Mean over users of the mean over their answers: each user counts the same."""
    stderr: float | None
    variants: dict[str, VariantRates]
    strata: dict[str, float | None]
    strata_n_contexts: dict[str, int]
    versus_group: Duel
    versus_norm: Duel
    mad: dict[str, float | None]
    """Mean MAD of the prediction (`individual`), of the others' mean (`group`), of all-no (`norm`)."""
    failed_scenarios: dict[str, int]
    by_user: dict[str, float]


class CiderScores(BaseModel):
    """`scores.json` of a CIDER run: the chosen k, and every k of the curve."""

    k: int
    protocol: str
    predictor: str
    by_k: dict[int, KScores]

    @property
    def chosen(self) -> KScores:
        return self.by_k[self.k]


def score_rows(rows: Iterable[Row], *, k: int, protocol: str, predictor: str) -> CiderScores:
    """Score all rows, k by k."""
    by_k: dict[int, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.index):
        by_k[row.k].append(row)
    return CiderScores(
        k=k,
        protocol=protocol,
        predictor=predictor,
        by_k={key: _score_k(key, part) for key, part in sorted(by_k.items())},
    )


def user_accuracies(rows: Sequence[Row]) -> dict[str, float]:
    """Share of right answers per user, over the predictions that did not fail."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row.predicted is not None:
            hits[row.user] += [p == t for p, t in zip(row.predicted, row.truth, strict=True)]
    return {user: float(np.mean(values)) for user, values in hits.items()}


def variant_rates(rows: Sequence[Row]) -> dict[str, VariantRates]:
    """False-positive and false-negative rate of each of the nine variants; None without such items."""
    rates = {}
    for position, label in enumerate(LABELS):
        pairs = [(row.predicted[position], row.truth[position]) for row in rows if row.predicted is not None]
        wrong_yes = [said for said, true in pairs if not true]
        wrong_no = [not said for said, true in pairs if true]
        rates[label] = VariantRates(
            fp=float(np.mean(wrong_yes)) if wrong_yes else None,
            fn=float(np.mean(wrong_no)) if wrong_no else None,
            n=len(pairs),
        )
    return rates


def _score_k(k: int, rows: Sequence[Row]) -> KScores:
    by_user = user_accuracies(rows)
    accuracy = spread(list(by_user.values()))
    failed: dict[str, int] = defaultdict(int)
    for row in rows:
        if row.accept is None:
            failed[row.scenario] += 1
    strata: dict[str, float | None] = {}
    n_contexts: dict[str, int] = {}
    for name, (low, high) in STRATA.items():
        part = [row for row in rows if row.agreement is not None and low <= row.agreement < high]
        strata[name] = spread(list(user_accuracies(part).values())).mean
        n_contexts[name] = len({(row.scenario, row.role, row.condition) for row in part})
    return KScores(
        k=k,
        n_predictions=sum(row.accept is not None for row in rows),
        n_failed=sum(failed.values()),
        n_users=len(by_user),
        accuracy=accuracy.mean,
        stderr=accuracy.stderr,
        variants=variant_rates(rows),
        strata=strata,
        strata_n_contexts=n_contexts,
        versus_group=_duel(rows, "group"),
        versus_norm=_duel(rows, "norm"),
        mad={
            name: spread([d for row in rows if (d := _mad(row, name)) is not None]).mean
            for name in ("individual", "group", "norm")
        },
        failed_scenarios=dict(sorted(failed.items())),
        by_user=by_user,
    )


def _mad(row: Row, boundary: str) -> float | None:
    """Mean absolute difference between the truth and a boundary, over the nine variants (C.4)."""
    if row.predicted is None:
        return None
    if boundary == "individual":
        values: Sequence[float] = [float(v) for v in row.predicted]
    elif boundary == "group":
        if row.group is None:
            return None
        values = row.group
    else:
        values = [0.0] * len(row.truth)
    return float(np.mean([abs(float(t) - v) for t, v in zip(row.truth, values, strict=True)]))


def _duel(rows: Sequence[Row], other: str) -> Duel:
    win = tie = lose = absent = 0
    for row in rows:
        mine, theirs = _mad(row, "individual"), _mad(row, other)
        if mine is None or theirs is None:
            absent += 1
        elif abs(mine - theirs) < _TIE:
            tie += 1
        elif mine < theirs:
            win += 1
        else:
            lose += 1
    return Duel(win=win, tie=tie, lose=lose, not_compared=absent)


def summary_json(scores: CiderScores) -> dict[str, Any]:
    """The documented object of `limen eval cider --json -`."""
    chosen = scores.chosen
    return {
        "n_predictions": chosen.n_predictions,
        "k": scores.k,
        "protocol": scores.protocol,
        "predictor": scores.predictor,
        "accuracy": chosen.accuracy,
        "stderr": chosen.stderr,
        "variants": {label: {"fp": r.fp, "fn": r.fn} for label, r in chosen.variants.items()},
    }
