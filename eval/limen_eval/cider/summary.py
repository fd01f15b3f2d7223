"""Tables of a CIDER run for people."""

from __future__ import annotations

from limen_eval.cider.scores import CiderScores, Duel, KScores
from limen_eval.report.tables import Cell, percent, table


def summary_text(scores: CiderScores) -> str:
    """Accuracy, errors per variant, agreement strata, the comparison with group and norm, and the curve."""
    chosen = scores.chosen
    parts = [
        f"{scores.predictor}, k={scores.k}, {scores.protocol}: accuracy {percent(chosen.accuracy)} % "
        f"± {percent(chosen.stderr)} over {chosen.n_users} users, {chosen.n_predictions} predictions, "
        f"{chosen.n_failed} failed",
        _variants(scores),
        table(
            ["agreement of context", "contexts", "accuracy %"],
            [[name, chosen.strata_n_contexts[name], percent(value)] for name, value in chosen.strata.items()],
        ),
        table(
            ["individual against", "win", "tie", "lose", "mean MAD"],
            [_duel("group", chosen.versus_group, chosen), _duel("norm (all no)", chosen.versus_norm, chosen)],
        )
        + f"\nmean MAD of the predicted boundary: {_mad(chosen, 'individual')}",
    ]
    if len(scores.by_k) > 1:
        rows: list[list[Cell]] = [
            [k, percent(s.accuracy), percent(s.stderr), s.n_predictions, s.n_failed]
            for k, s in scores.by_k.items()
        ]
        parts.append(table(["k", "accuracy %", "stderr", "predictions", "failed"], rows))
    if chosen.failed_scenarios:
        listed = ", ".join(f"{name} ({count})" for name, count in chosen.failed_scenarios.items())
        parts.append(f"failed: {listed}")
    return "\n\n".join(parts)


def direction(before: float | None, after: float | None) -> str:
    """`up`, `down` or `same`, as the arrows of Tables 6 and 7."""
    if before is None or after is None:
        return "-"
    if abs(after - before) < 1e-9:
        return "same"
    return "up" if after > before else "down"


def _variants(scores: CiderScores) -> str:
    chosen, base = scores.chosen, scores.by_k.get(0)
    rows: list[list[Cell]] = []
    for label, rates in chosen.variants.items():
        row: list[Cell] = [label, percent(rates.fp), percent(rates.fn)]
        if base is not None and scores.k != 0:
            old = base.variants[label]
            row += [
                percent(old.fp),
                percent(old.fn),
                direction(old.fp, rates.fp),
                direction(old.fn, rates.fn),
            ]
        rows.append(row)
    header = ["variant", "FP %", "FN %"]
    if len(rows[0]) > 3:
        header += ["FP without history", "FN without history", "FP shift", "FN shift"]
    return table(header, rows)


def _duel(name: str, duel: Duel, scores: KScores) -> list[Cell]:
    return [name, duel.win, duel.tie, duel.lose, _mad(scores, name.split()[0])]


def _mad(scores: KScores, name: str) -> str:
    value = scores.mad[name]
    return "-" if value is None else f"{value:.4f}"
