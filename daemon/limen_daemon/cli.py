"""The one console command. Packages add subcommands through the `limen.commands` entry points."""

from __future__ import annotations

import importlib
from importlib import metadata

import click

from limen_daemon.errors import LimenError

ENTRY_POINT_GROUP = "limen.commands"


class LazyGroup(click.Group):
    """A click group whose subcommands are imported only when one is called or its help is shown.

    `commands` maps a subcommand name to "module:attribute". A `LimenError` that leaves a subcommand
    is printed without a traceback and ends the process with the error's `exit_code`.
    """

    def __init__(self, name: str, *, commands: dict[str, str], help: str) -> None:
        super().__init__(name, help=help, context_settings={"help_option_names": ["-h", "--help"]})
        self._targets = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._targets)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = self._targets.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{target} is not a click command")
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except LimenError as error:
            click.echo(f"limen: {error}", err=True)
            ctx.exit(error.exit_code)


def _targets() -> dict[str, str]:
    return {entry.name: entry.value for entry in metadata.entry_points(group=ENTRY_POINT_GROUP)}


def main() -> None:
    """Run the `limen` command."""
    group = LazyGroup(
        "limen",
        commands=_targets(),
        help="Limen tells you which phrases give away something about you. Everything runs on this computer.",
    )
    click.version_option(metadata.version("limen"), prog_name="limen")(group)
    group(prog_name="limen")
