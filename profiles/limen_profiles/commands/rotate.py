"""`limen profile rotate`."""

from __future__ import annotations

import click

from limen_profiles.commands.caller import ask_new_passphrase, caller
from limen_profiles.control.operations import RotateRequest
from limen_profiles.service import ProfileStatus


@click.command()
@click.option("--new-passphrase", is_flag=True, help="Change the passphrase too.")
@click.pass_context
def rotate(context: click.Context, new_passphrase: bool) -> None:
    """Change the key that the profile is encrypted with. Copies made before stay readable by the old key."""
    with caller(context) as ask:
        ask.open()
        passphrase = ask_new_passphrase() if new_passphrase else None
        ask.run("rotate", RotateRequest(new_passphrase=passphrase), ProfileStatus)
    click.echo("The profile has a new key.")
