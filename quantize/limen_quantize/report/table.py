"""The report as Markdown and as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from limen_daemon.errors import ExtraMissing
from limen_quantize.report.measurement import Line

_HEADINGS = (
    "model",
    "format",
    "MB",
    "load s",
    "peak MB",
    "words/s",
    "p50 ms",
    "p95 ms",
    "language",
    "queries",
    "query accuracy",
    "phrase P",
    "phrase R",
    "phrase F1",
    "information F1",
    "not checked",
    "unreadable",
)


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return _number(None if value is None else 100 * value, 1)


def _cells(line: Line) -> list[str]:
    scores = line.scores
    return [
        line.model,
        f"{line.format} ({line.device})",
        _number(line.file_mb, 1),
        _number(line.load_s, 2),
        _number(line.peak_mb, 0),
        _number(line.words_per_s, 0),
        _number(line.p50_ms, 1),
        _number(line.p95_ms, 1),
        line.language,
        str(scores.n_queries),
        _percent(scores.accuracy),
        _percent(scores.precision),
        _percent(scores.recall),
        _percent(scores.f1),
        _percent(scores.information_f1),
        str(line.not_checked),
        _number(line.unreadable, 0),
    ]


def markdown(lines: Sequence[Line], *, command: str, note: str) -> str:
    """The table, with the command that made it and what the numbers are."""
    rows = [list(_HEADINGS), ["---"] * 2 + ["---:"] * (len(_HEADINGS) - 2), *map(_cells, lines)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"# Models, measured in one run\n\n{note}\n\n{table}\n\nMade by:\n\n```sh\n{command}\n```\n"


def plot(lines: Sequence[Line], path: Path) -> None:
    """Query accuracy (percent) against the median time of a query (ms, logarithmic), by language.

    Raises: `ExtraMissing` without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ExtraMissing('The plot needs the eval extra: pip install "limen[eval]"') from error
    timed = [line for line in lines if line.p50_ms]
    languages = sorted({line.language for line in timed})
    figure = Figure(figsize=(5.0 * max(1, len(languages)), 4.0), layout="constrained")
    for axes, language in zip(
        figure.subplots(1, max(1, len(languages)), squeeze=False, sharey=True)[0], languages, strict=False
    ):
        for line in (line for line in timed if line.language == language):
            accuracy = 100 * line.scores.accuracy
            axes.plot([line.p50_ms], [accuracy], "o")
            axes.annotate(
                line.model, (line.p50_ms, accuracy), xytext=(4, 4), textcoords="offset points", fontsize=7
            )
        axes.set_xscale("log")
        axes.set_title(language)
        axes.set_xlabel("median time of a query, ms")
        axes.set_ylabel("query accuracy, %")
        axes.margins(x=0.3, y=0.15)
        axes.grid(True, alpha=0.3)
    figure.savefig(path, dpi=150)
