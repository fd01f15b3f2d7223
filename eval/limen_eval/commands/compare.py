"""`limen eval compare`: two runs side by side, with t-tests."""

from __future__ import annotations

from pathlib import Path

import click

from limen_eval.commands.options import say, show
from limen_eval.records.folder import RunFolder
from limen_eval.report.comparison import compare_runs, comparison_text
from limen_eval.report.figures import Shift, save, shift_scatter


@click.command()
@click.argument("a", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("b", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--json", "json_out", metavar="FILE", help="Write the result as JSON; - prints it instead of tables."
)
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the FP/FN shift from A to B (CIDER runs; PNG, SVG).",
)
def compare(a: Path, b: Path, json_out: str | None, plots: Path | None) -> None:
    """Compare run B with run A."""
    result = compare_runs(RunFolder.open(a), RunFolder.open(b))
    if plots is not None and "variants" in result:
        shifts = [
            Shift(label, (v["a"]["fp"], v["a"]["fn"]), (v["b"]["fp"], v["b"]["fn"]))
            for label, v in result["variants"].items()
            if None not in (*v["a"].values(), *v["b"].values())
        ]
        save(
            shift_scatter(f"{a.name} to {b.name}", shifts, before=a.name, after=b.name), plots, "fp_fn_shift"
        )
        say(f"plots: {plots}")
    show(result, comparison_text(result), json_out)
