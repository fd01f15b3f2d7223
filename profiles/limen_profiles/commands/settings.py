"""`limen profile settings`."""

from __future__ import annotations

from typing import Any, get_args

import click
from pydantic import ValidationError

from limen_profiles.commands.caller import caller
from limen_profiles.errors import InvalidRequest
from limen_profiles.records import Caution
from limen_profiles.settings import Settings, SettingsChange

NEVER = "never"


def days(context: click.Context, option: click.Parameter, value: str | None) -> int | str | None:
    """A number of days, or "never". Raises: click.BadParameter."""
    if value is None or value == NEVER:
        return value
    if not value.isdecimal():
        raise click.BadParameter('Give a number of days, or "never".')
    return int(value)


@click.command()
@click.option("--caution", type=click.Choice(get_args(Caution)), help="How sure to be before going quiet.")
@click.option("--learn-from-sent", type=bool, help="Whether a marked phrase you send counts as a weak yes.")
@click.option(
    "--retention-days", callback=days, metavar="DAYS", help='When decisions are deleted, or "never".'
)
@click.option(
    "--half-life-days", callback=days, metavar="DAYS", help='When a decision counts half, or "never".'
)
@click.option("--placeholder-days", callback=days, metavar="DAYS", help="When placeholders are forgotten.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def settings(context: click.Context, /, as_json: bool, **given: Any) -> None:
    """Show the profile's settings, and change those given."""
    chosen = {name: value for name, value in given.items() if value is not None}
    changed = {name: None if value == NEVER else value for name, value in chosen.items()}
    try:
        change = SettingsChange.model_validate(changed)
    except ValidationError:
        raise InvalidRequest("One of the values is out of its range (see docs/profile.md).") from None
    with caller(context) as ask:
        ask.open()
        now = ask.run("settings", change, Settings)
    if as_json:
        click.echo(now.model_dump_json())
        return
    for name, field in Settings.model_fields.items():
        value = getattr(now, name)
        words = NEVER if value is None else str(value)
        click.echo(f"{name.replace('_', '-'):<18}{words:<14}{field.description}")
