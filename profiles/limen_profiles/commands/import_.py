"""`limen profile import`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_profiles.commands.caller import ask_passphrase, caller
from limen_profiles.control.operations import ImportRequest, encoded
from limen_profiles.errors import ExportUnreadable
from limen_profiles.portable import Imported, is_sealed


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def import_(context: click.Context, file: Path) -> None:
    """Add what an export holds to the profile; what is there already is left as it is."""
    try:
        raw = file.read_bytes()
    except OSError:
        raise ExportUnreadable("The file cannot be read.") from None
    sealed = is_sealed(raw)
    with caller(context) as ask:
        ask.open()
        passphrase = ask_passphrase("Passphrase of the export") if sealed else None
        request = ImportRequest(content=encoded(raw), passphrase=passphrase)
        imported = ask.run("import", request, Imported)
    click.echo(
        f"Imported {imported.decisions} decisions, {imported.rules} rules, {imported.calibration} "
        f"calibration answers; {imported.skipped} were there already or could not be known again."
    )
