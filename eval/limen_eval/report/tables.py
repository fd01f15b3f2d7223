"""Plain-text tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | float | int | None


def percent(value: float | None) -> str:
    """A fraction as a percentage with two decimals; an undefined value is a dash."""
    return "-" if value is None else f"{100 * value:.2f}"


def table(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Columns aligned: the first to the left, the others to the right. Fractions print as they come."""
    text = [[_text(cell) for cell in row] for row in [list(header), *rows]]
    widths = [max(len(row[column]) for row in text) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in text
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)
