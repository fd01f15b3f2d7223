"""What `limen eval privacy` prints: the stable JSON, and tables for people."""

from __future__ import annotations

from typing import Any

from limen_eval.privacy.scores import GroupScore, LevelScore, PrivacyScores
from limen_eval.report.tables import Cell, percent, table


def summary_json(scores: PrivacyScores, detector: dict[str, Any]) -> dict[str, Any]:
    """The documented object: fractions from 0 to 1, null where a number is undefined."""
    whole = scores.overall

    def level(score: LevelScore) -> dict[str, float | None]:
        return {"recall": score.recall, "precision": score.precision, "f1": score.f1}

    return {
        "n_queries": whole.n_queries,
        "n_leak": whole.n_leak,
        "query": {"accuracy": whole.accuracy},
        "phrase": level(whole.phrase),
        "information": level(whole.information),
        "false_alarms_per_1000_words": whole.false_alarms_per_1000_words,
        "latency_ms": {"p50": whole.latency_ms_p50, "p95": whole.latency_ms_p95},
        "detector": detector,
    }


def summary_text(scores: PrivacyScores) -> str:
    """Tables in percent with standard errors, by set, source, language and category."""
    groups = [("all", scores.overall)]
    if len(scores.by_language) > 1:
        groups += list(scores.by_language.items())
    if len(scores.by_source) > 1:
        groups += list(scores.by_source.items())
    header = ["", "queries", "leak", "Acc", "R_P", "P_P", "F1_P", "R_I", "P_I", "F1_I", "alarms/1000 w"]
    parts = [table(header, [_line(name, group) for name, group in groups])]
    if scores.by_category:
        rows: list[list[Cell]] = [
            [name, c.n_gold, percent(c.recall), c.n_predicted, percent(c.precision)]
            for name, c in scores.by_category.items()
        ]
        parts.append(table(["category", "gold", "found %", "predicted", "right %"], rows))
    whole = scores.overall
    parts.append(
        f"Percent, plus or minus the standard error. Rouge-L: {scores.rouge}. Unreadable answers (scored as "
        f"empty): {whole.n_unreadable}. Not checked (not scored): {whole.n_not_checked}."
    )
    return "\n\n".join(parts)


def _line(name: str, group: GroupScore) -> list[Cell]:
    def number(value: float | None, stderr: float | None) -> str:
        return percent(value) if stderr is None else f"{percent(value)}±{percent(stderr)}"

    alarms = group.false_alarms_per_1000_words
    levels = [
        number(value, stderr)
        for level in (group.phrase, group.information)
        for value, stderr in (
            (level.recall, level.recall_stderr),
            (level.precision, level.precision_stderr),
            (level.f1, level.f1_stderr),
        )
    ]
    accuracy = number(group.accuracy, group.accuracy_stderr)
    return [
        name,
        group.n_queries,
        group.n_leak,
        accuracy,
        *levels,
        "-" if alarms is None else f"{alarms:.2f}",
    ]
