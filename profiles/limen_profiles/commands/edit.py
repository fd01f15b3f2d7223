"""`limen profile edit`."""

from __future__ import annotations

from typing import get_args

import click

from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import EditRequest
from limen_profiles.records import Decision, DecisionOut


@click.command()
@click.argument("id", type=click.IntRange(1))
@click.argument("decision", type=click.Choice(get_args(Decision)))
@click.pass_context
def edit(context: click.Context, id: int, decision: Decision) -> None:
    """Correct the decision with this ID (`limen profile show` lists them).

    A phrase that turns out rejected is forgotten for good.
    """
    with caller(context) as ask:
        ask.open()
        ask.run("edit", EditRequest(id=id, decision=decision), DecisionOut)
    click.echo(f"Decision {id} is now: {decision}.")
