"""`limen profile pause`."""

from __future__ import annotations

import click

from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import PauseRequest
from limen_profiles.service import ProfileStatus


@click.command()
@click.argument("minutes", type=click.IntRange(0, 7 * 24 * 60))
@click.pass_context
def pause(context: click.Context, minutes: int) -> None:
    """Record nothing for so many MINUTES; 0 ends a pause."""
    with caller(context) as ask:
        ask.open()
        ask.run("pause", PauseRequest(minutes=minutes), ProfileStatus)
    click.echo(f"Nothing is recorded for {minutes} minutes." if minutes else "Decisions are recorded again.")
