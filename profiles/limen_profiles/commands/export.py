"""`limen profile export`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_profiles.commands.caller import ask_new_passphrase, caller
from limen_profiles.control.operations import Content, PlainExportRequest, SealedExportRequest
from limen_profiles.errors import ExportError, ExportExists
from limen_profiles.private_files import write_new_private


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--plain", is_flag=True, help="Write it readable by anyone. Asks for the word: plain")
@click.pass_context
def export(context: click.Context, file: Path, plain: bool) -> None:
    """Write everything to FILE, sealed with a passphrase. FILE must not exist yet."""
    if file.exists():
        raise ExportExists
    with caller(context) as ask:
        ask.open()
        if plain:
            word = click.prompt("Anyone who gets this file can read it. Type plain to go on", err=True)
            answer = ask.run("export_plain", PlainExportRequest(confirm=word), Content)
        else:
            passphrase = ask_new_passphrase("Passphrase for the export (at least 12 characters)")
            answer = ask.run("export_sealed", SealedExportRequest(passphrase=passphrase), Content)
    try:
        write_new_private(file, answer.content)
    except FileExistsError:
        raise ExportExists from None
    except OSError:
        raise ExportError("The file could not be written there.") from None
    click.echo(f"Written: {file}")
