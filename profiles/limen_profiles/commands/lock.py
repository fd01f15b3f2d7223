"""`limen profile lock`."""

from __future__ import annotations

import click

from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import Nothing
from limen_profiles.service import ProfileStatus


@click.command()
@click.pass_context
def lock(context: click.Context) -> None:
    """Make the running daemon close the profile and forget its key."""
    with caller(context) as ask:
        if ask.is_daemon_there:
            ask.run("lock", Nothing(), ProfileStatus)
        click.echo("The profile is closed.")
