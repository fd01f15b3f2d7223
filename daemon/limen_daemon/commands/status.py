"""`limen status`: what the running daemon does, and what is not as safe as it could be."""

from __future__ import annotations

import os

import click

from limen_daemon.pairing.client import DaemonDown, control
from limen_daemon.pairing.messages import Status, StatusLine
from limen_daemon.settings import load_settings

IN_FILE = (
    "Warning: the keys of {count} paired {browsers} are in a file that only you can read, not encrypted, "
    "since there is no keyring and no encrypted profile here. Whoever has them and runs programs on this "
    "computer can ask the daemon what a browser can. They open no stored file."
)
LOCKED = (
    "Warning: the keys of {count} paired {browsers} cannot be read now, so {they} not served. Unlock what "
    "keeps them: `limen profile unlock`; or the keyring, and then start Limen again."
)


@click.command()
def status() -> None:
    """Say what the running daemon does: its detector, the profile, how many browsers are paired."""
    with control(load_settings(os.environ).state_dir) as daemon:
        daemon.say(Status())
        found = next((event for event in daemon.events() if isinstance(event, StatusLine)), None)
    if found is None:
        raise DaemonDown("the daemon is of another version. Start it again: limen up")
    click.echo(f"Limen {found.version} runs on {found.authority}.")
    click.echo(f"Detector: {found.detector or 'none; nothing is checked'}")
    click.echo(f"Profile: {found.profile}")
    click.echo(f"Paired browsers: {found.browsers}" + ("" if found.browsers else ". Pair one: limen pair"))
    if found.in_file:
        click.echo(IN_FILE.format(count=found.in_file, browsers=_browsers(found.in_file)), err=True)
    if found.locked:
        they = "it is" if found.locked == 1 else "they are"
        click.echo(LOCKED.format(count=found.locked, browsers=_browsers(found.locked), they=they), err=True)


def _browsers(count: int) -> str:
    return "browser" if count == 1 else "browsers"
