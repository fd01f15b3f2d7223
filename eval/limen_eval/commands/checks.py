"""`limen eval checks`: the manipulation checks of CIDER, beside the paper's figures."""

from __future__ import annotations

import click

from limen_eval.cider.checks import checks_text, manipulation_checks
from limen_eval.commands.options import data_options, policy_of, show
from limen_eval.datasets.location import cider_files
from limen_eval.datasets.ratings import read_cider


@click.command()
@data_options
@click.option(
    "--json", "json_out", metavar="FILE", help="Write the result as JSON; - prints it instead of tables."
)
def checks(data: str | None, skip_bad: tuple[str, ...], json_out: str | None) -> None:
    """Recompute the manipulation checks of CIDER from its ratings."""
    found = manipulation_checks(read_cider(*cider_files(data), policy=policy_of(skip_bad)).participants)
    show(found.model_dump(mode="json"), checks_text(found), json_out)
