"""`limen eval report`: plots and one HTML page about finished runs."""

from __future__ import annotations

from pathlib import Path

import click

from limen_eval.commands.options import say
from limen_eval.records.folder import RunFolder
from limen_eval.report.page import write_report


@click.command()
@click.argument(
    "runs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The page; default: report.html in the first run's folder.",
)
def report(runs: tuple[Path, ...], out: Path | None) -> None:
    """Draw the plots of RUNS (PNG, SVG) and write a single-file HTML report."""
    say(f"report: {write_report([RunFolder.open(run) for run in runs], out)}")
