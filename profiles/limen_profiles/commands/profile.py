"""The group `limen profile`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_profiles.commands.calibrate import calibrate
from limen_profiles.commands.delete import delete
from limen_profiles.commands.edit import edit
from limen_profiles.commands.erase import erase
from limen_profiles.commands.export import export
from limen_profiles.commands.import_ import import_
from limen_profiles.commands.init import init
from limen_profiles.commands.lock import lock
from limen_profiles.commands.pause import pause
from limen_profiles.commands.rotate import rotate
from limen_profiles.commands.rules import allow, block, unlist
from limen_profiles.commands.settings import settings
from limen_profiles.commands.show import show
from limen_profiles.commands.unlock import unlock
from limen_profiles.errors import ProfileError
from limen_profiles.paths import ProfilePaths


class ProfileGroup(click.Group):
    """Prints a `ProfileError` as one sentence and ends with its exit code."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ProfileError as error:
            click.echo(f"limen: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=ProfileGroup)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="LIMEN_PROFILE_DIR",
    help="Folder of the profile, if not the usual one.",
)
@click.pass_context
def profile(context: click.Context, folder: Path | None) -> None:
    """See, take along, or delete what Limen remembers of your choices."""
    context.obj = ProfilePaths(folder.absolute()) if folder else ProfilePaths.default()


for command in (
    init,
    show,
    edit,
    delete,
    allow,
    block,
    unlist,
    settings,
    pause,
    calibrate,
    export,
    import_,
    rotate,
    unlock,
    lock,
    erase,
):
    profile.add_command(command)
