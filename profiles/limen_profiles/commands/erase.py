"""`limen profile erase`."""

from __future__ import annotations

import click

from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import EraseRequest
from limen_profiles.erasure import Erased


@click.command()
@click.option("--confirm", help='Give "erase" here to be asked nothing.')
@click.pass_context
def erase(context: click.Context, confirm: str | None) -> None:
    """Delete the profile: its key first, then every file. This cannot be undone."""
    word = confirm or click.prompt("Everything Limen remembers will be gone. Type erase to go on", err=True)
    with caller(context) as ask:
        erased = ask.run("erase", EraseRequest(confirm=word), Erased)
    click.echo("The profile was erased. It stays off until you run `limen profile init`.")
    for sentence in erased.left:
        click.echo(sentence)
