"""`limen eval rescore`: score a run again from its record. Needs no model and no data set."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from limen_eval.cider import run as cider_run
from limen_eval.cider.summary import summary_text as cider_text
from limen_eval.commands.options import parse_gates, show
from limen_eval.errors import RunError
from limen_eval.metrics.rouge import Flavour
from limen_eval.privacy import run as privacy_run
from limen_eval.privacy.scores import QueryBy
from limen_eval.privacy.summary import summary_text as privacy_text
from limen_eval.records.folder import RunFolder
from limen_eval.records.gates import check_gates


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--rouge",
    type=click.Choice(get_args(Flavour)),
    default="rouge-score",
    show_default=True,
    help="Rouge-L of a privacy run.",
)
@click.option(
    "--query-by",
    type=click.Choice(get_args(QueryBy)),
    default="phrases",
    show_default=True,
    help="Query-level answer of a privacy run.",
)
@click.option(
    "--json", "json_out", metavar="FILE", help="Write the result as JSON; - prints it instead of tables."
)
@click.option(
    "--require",
    "gates",
    callback=parse_gates,
    multiple=True,
    metavar="NAME>=X",
    help="Exit with 3 unless the result meets this.",
)
def rescore(
    run: Path, rouge: Flavour, query_by: QueryBy, json_out: str | None, gates: tuple[Any, ...]
) -> None:
    """Score the predictions recorded in RUN again."""
    folder = RunFolder.open(run)
    if folder.manifest.kind == "privacy":
        text = privacy_text(privacy_run.finish(folder, rouge=rouge, query_by=query_by))
    elif folder.manifest.kind == "cider":
        text = cider_text(cider_run.finish(folder))
    else:
        raise RunError(f"{run}: a {folder.manifest.kind} run has nothing to score again")
    result = folder.manifest.result or {}
    show(result, text, json_out)
    check_gates(gates, result)
