"""`limen profile unlock`."""

from __future__ import annotations

import click

from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import Nothing
from limen_profiles.service import ProfileStatus


@click.command()
@click.pass_context
def unlock(context: click.Context) -> None:
    """Open the profile for the running daemon, with its passphrase or by asking its keyring again."""
    with caller(context) as ask:
        ask.open()
        status = ask.run("status", Nothing(), ProfileStatus)
        if status.mode == "off":
            click.echo(f"limen: {status.advice}", err=True)
            context.exit(1)
        if ask.is_daemon_there:
            click.echo("The profile is open.")
        else:
            click.echo("The profile can be opened. Start `limen up`, then run this again: it opens it there.")
