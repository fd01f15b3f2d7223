"""`limen profile settings`."""

from __future__ import annotations

from typing import Any, get_args

import click
from pydantic import ValidationError

from limen_profiles.commands.caller import caller
from limen_profiles.errors import InvalidRequest
from limen_profiles.records import Caution
from limen_profiles.settings import Settings, SettingsChange


class Days(click.ParamType[int | str]):
    """A number of days, or "never"."""

    name = "days"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        if value == "never" or isinstance(value, int):
            return value  # type: ignore[no-any-return]
        if not str(value).isdecimal():
            self.fail('Give a number of days, or "never".', param, ctx)
        return int(value)


@click.command()
@click.option("--caution", type=click.Choice(get_args(Caution)), help="How sure to be before going quiet.")
@click.option("--learn-from-sent", type=bool, help="Whether a marked phrase you send counts as a weak yes.")
@click.option("--retention-days", type=Days(), help='When decisions are deleted, or "never".')
@click.option("--half-life-days", type=Days(), help='When a decision counts half, or "never".')
@click.option("--placeholder-days", type=Days(), help="When placeholders are forgotten.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def settings(context: click.Context, /, as_json: bool, **given: Any) -> None:
    """Show the profile's settings, and change those given."""
    chosen = {name: value for name, value in given.items() if value is not None}
    changed = {name: None if value == "never" else value for name, value in chosen.items()}
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
        words = "never" if value is None else str(value)
        click.echo(f"{name.replace('_', '-'):<18}{words:<14}{field.description}")
