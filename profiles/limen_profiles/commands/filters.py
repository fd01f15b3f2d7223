"""The filter options that `show` and `delete` share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar, get_args

import click
from pydantic import ValidationError

from limen_profiles.errors import InvalidRequest
from limen_profiles.records import Decision, Filter

Command = TypeVar("Command", bound=Callable[..., Any])

OPTIONS = (
    click.option("--site", help="Only this site."),
    click.option("--category", help="Only this category."),
    click.option("--decision", type=click.Choice(get_args(Decision)), help="Only this kind of decision."),
    click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="From this day on (UTC)."),
    click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="Before this day (UTC)."),
    click.option("--search", help="Found in the phrase or in what it tells."),
)


def filter_options(command: Command) -> Command:
    """Adds the options; the command takes them as `**wanted` and passes those to `filter_of`."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def filter_of(wanted: dict[str, Any]) -> Filter:
    """Raises: InvalidRequest."""
    given = {name: _ms(value) for name, value in wanted.items() if value is not None}
    try:
        return Filter.model_validate(given)
    except ValidationError:
        raise InvalidRequest("One of the filters cannot be used.") from None


def _ms(value: Any) -> Any:
    return int(value.replace(tzinfo=UTC).timestamp() * 1000) if isinstance(value, datetime) else value
