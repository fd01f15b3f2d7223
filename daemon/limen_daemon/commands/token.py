"""`limen token`: show the token that the extension asks for."""

from __future__ import annotations

import os

import click

from limen_daemon.bearer_token import read_or_create_token, replace_token
from limen_daemon.settings import load_settings


@click.command()
@click.option(
    "--new", "is_new", is_flag=True, help="Make a new token. The old one stops at the next `limen up`."
)
def token(is_new: bool) -> None:
    """Show the token to paste into the extension's options page. Keep it to yourself."""
    state_dir = load_settings(os.environ).state_dir
    click.echo(replace_token(state_dir) if is_new else read_or_create_token(state_dir))
