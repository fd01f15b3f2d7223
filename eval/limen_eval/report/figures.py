"""Drawing with matplotlib, without its global state; every figure is saved as PNG and SVG."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from limen_eval.errors import EvalError
from limen_eval.records.atomic import write_atomic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PNG_DPI = 150
_COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e")


class Series(NamedTuple):
    """One line or one group of bars; an undefined value is None and leaves a gap."""

    name: str
    values: Sequence[float | None]
    errors: Sequence[float | None] | None = None


def _canvas(width: float = 7.0, height: float = 4.2) -> tuple[Figure, Axes]:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise EvalError("matplotlib is not installed: pip install 'limen[eval]'") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def bars(title: str, names: Sequence[str], series: Sequence[Series], *, ylabel: str) -> Figure:
    """Grouped bars with error bars."""
    figure, axes = _canvas(max(7.0, 0.42 * len(names) * max(1, len(series)) + 2))
    width = 0.8 / len(series)
    for index, one in enumerate(series):
        positions = [n + (index - (len(series) - 1) / 2) * width for n in range(len(names))]
        heights = [_number(value) for value in one.values]
        errors = [_number(value) for value in one.errors] if one.errors else None
        axes.bar(positions, heights, width, yerr=errors, label=one.name, color=_COLOURS[index], capsize=2)
    axes.set_xticks(
        range(len(names)),
        names,
        rotation=45 if len(names) > 6 else 0,
        ha="right" if len(names) > 6 else "center",
    )
    axes.set_ylabel(ylabel)
    axes.set_title(title)
    if len(series) > 1:
        axes.legend(frameon=False)
    return figure


def lines(
    title: str, x: Sequence[float], series: Sequence[Series], *, xlabel: str, ylabel: str, log: bool = False
) -> Figure:
    """Lines with markers, with error bars where given; `log` for both axes."""
    figure, axes = _canvas()
    for index, one in enumerate(series):
        errors = [_number(value) for value in one.errors] if one.errors else None
        axes.errorbar(
            x,
            [_number(v) for v in one.values],
            yerr=errors,
            marker="o",
            capsize=3,
            label=one.name,
            color=_COLOURS[index % len(_COLOURS)],
        )
    if log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.set_xticks(list(x))
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_title(title)
    axes.legend(frameon=False)
    return figure


class Shift(NamedTuple):
    """One variant's false-positive and false-negative rate before and after."""

    name: str
    before: tuple[float, float]
    after: tuple[float, float]


def shift_scatter(title: str, shifts: Sequence[Shift], *, before: str, after: str) -> Figure:
    """As Figure 4 of Guo et al. 2026: circles are the baseline, triangles the run, a line joins the two."""
    figure, axes = _canvas(7.0, 5.6)
    for index, shift in enumerate(shifts):
        colour = _COLOURS[index % len(_COLOURS)]
        (x0, y0), (x1, y1) = shift.before, shift.after
        axes.plot([x0, x1], [y0, y1], linestyle="--", linewidth=1, color=colour, alpha=0.6)
        axes.scatter([x0], [y0], marker="o", s=42, color=colour, label=before if index == 0 else None)
        axes.scatter([x1], [y1], marker="^", s=54, color=colour, label=after if index == 0 else None)
        axes.annotate(
            shift.name, (x1, y1), textcoords="offset points", xytext=(5, 5), fontsize=8, color=colour
        )
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("false negative rate")
    axes.set_title(title)
    axes.legend(frameon=False)
    return figure


def rate_scatter(title: str, rates: Mapping[str, tuple[float, float]]) -> Figure:
    """False-positive and false-negative rate of each variant."""
    figure, axes = _canvas(7.0, 5.6)
    for index, (name, (x, y)) in enumerate(rates.items()):
        colour = _COLOURS[index % len(_COLOURS)]
        axes.scatter([x], [y], marker="^", s=54, color=colour)
        axes.annotate(name, (x, y), textcoords="offset points", xytext=(5, 5), fontsize=8, color=colour)
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("false negative rate")
    axes.set_title(title)
    return figure


def save(figure: Figure, folder: Path, name: str) -> str:
    """Write `name.png` and `name.svg`; return the SVG text, for the report."""
    folder.mkdir(parents=True, exist_ok=True)
    png, svg = io.BytesIO(), io.StringIO()
    figure.savefig(png, format="png", dpi=PNG_DPI)
    figure.savefig(svg, format="svg")
    write_atomic(folder / f"{name}.png", png.getvalue())
    write_atomic(folder / f"{name}.svg", svg.getvalue())
    return svg.getvalue()


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
