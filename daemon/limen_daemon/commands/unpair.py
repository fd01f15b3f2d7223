"""`limen unpair`: list paired browsers, or forget them."""

from __future__ import annotations

import os
from pathlib import Path

import click

from limen_daemon.commands.paired_list import paired_browsers, row
from limen_daemon.errors import ConfigError, InputError
from limen_daemon.pairing.client import DaemonDown, control
from limen_daemon.pairing.messages import Removed, Unpair
from limen_daemon.pairing.places import KeyringPlace
from limen_daemon.pairing.store import PairingFile, forget_all
from limen_daemon.settings import load_settings


@click.command()
@click.argument("kid", required=False)
@click.option("--all", "is_all", is_flag=True, help="Forget every paired browser.")
def unpair(kid: str | None, is_all: bool) -> None:
    """Forget the paired browser with key KID, or all; without either, list them."""
    if kid and is_all:
        raise click.UsageError("Give a key or --all, not both.")
    state_dir = load_settings(os.environ).state_dir
    if not kid and not is_all:
        for pairing in paired_browsers(state_dir):
            click.echo(row(pairing))
        return
    removed = _forget(state_dir, kid)
    if kid and not removed:
        raise InputError("no browser is paired with this key; `limen unpair` lists them")
    click.echo(f"Forgotten: {removed}.", err=True)


def _forget(state_dir: Path, kid: str | None) -> int:
    """Through the daemon, so that the next request is refused; in the file when none runs."""
    try:
        with control(state_dir) as daemon:
            daemon.say(Unpair(kid=kid))
            return sum(event.count for event in daemon.events() if isinstance(event, Removed))
    except DaemonDown:
        pass
    try:
        store = PairingFile(state_dir, (KeyringPlace(),))
    except ConfigError:  # damaged: --all still forgets
        if kid is not None:
            raise
        forget_all(state_dir)
        return 0
    return store.remove([kid] if kid else [pairing.kid for pairing in store.all()])
