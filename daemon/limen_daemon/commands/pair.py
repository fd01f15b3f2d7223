"""`limen pair`: show a code and wait for a browser."""

from __future__ import annotations

import os

import click

from limen_daemon.commands.paired_list import paired_browsers, row
from limen_daemon.errors import PairingClosed
from limen_daemon.pairing.client import control
from limen_daemon.pairing.code import shown
from limen_daemon.pairing.messages import Allow, Ask, Opened, Pair, PairingLine
from limen_daemon.settings import load_settings


@click.command()
@click.option("--list", "is_list", is_flag=True, help="List the paired browsers instead.")
def pair(is_list: bool) -> None:
    """Pair a browser: type the code shown here into the extension's options page."""
    state_dir = load_settings(os.environ).state_dir
    if is_list:
        for pairing in paired_browsers(state_dir):
            click.echo(row(pairing))
        return
    with control(state_dir) as daemon:
        daemon.say(Pair())
        for event in daemon.events():
            if isinstance(event, Opened):
                click.echo(f"Code: {shown(event.code)}")
                click.echo(f"Type it into the extension's options page within {event.for_s} s.", err=True)
            elif isinstance(event, Ask):
                question = f"The code is right. Allow the extension {event.origin} ?"
                daemon.say(Allow(is_allowed=click.confirm(question, default=False, err=True)))
            elif isinstance(event, PairingLine):
                click.echo(f"Paired with {event.label}, {event.origin} (key {event.kid}).", err=True)
                return
            else:
                break
    raise PairingClosed("no browser was paired. Run `limen pair` for a new code.")
