"""`limen profile delete`."""

from __future__ import annotations

from typing import Any

import click

from limen_profiles.commands.caller import caller
from limen_profiles.commands.filters import filter_of, filter_options
from limen_profiles.control.operations import Count
from limen_profiles.records import Deletion


@click.command()
@click.argument("ids", nargs=-1, type=click.IntRange(1))
@filter_options
@click.option("--all", "everything", is_flag=True, help="Every decision.")
@click.pass_context
def delete(context: click.Context, /, ids: tuple[int, ...], everything: bool, **filters: Any) -> None:
    """Delete the decisions with these IDS, or all that fit the filters given."""
    is_filtered = any(value is not None for value in filters.values())
    if sum((bool(ids), is_filtered, everything)) != 1:
        raise click.UsageError("Give IDS, or filters, or --all.")
    deletion = Deletion(ids=list(ids)) if ids else Deletion(filter=filter_of(filters))
    with caller(context) as ask:
        ask.open()
        deleted = ask.run("delete", deletion, Count)
    click.echo(f"Deleted {deleted.count} decisions.")
