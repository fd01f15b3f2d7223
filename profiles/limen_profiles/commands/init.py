"""`limen profile init`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_profiles.commands.caller import ask_new_passphrase, caller
from limen_profiles.control.operations import InitRequest
from limen_profiles.keys import HolderKind, key_file
from limen_profiles.service import ProfileStatus

WHERE: dict[HolderKind, str] = {
    "keyring": "Its key is in the keyring of your operating system.",
    "passphrase": "Its key is wrapped under your passphrase. Nobody can help you if you forget it.",
    "key_file": "Its key is in the key file.",
    "memory": "It is kept in memory only and forgotten when Limen stops.",
}


@click.command()
@click.option("--passphrase", "with_passphrase", is_flag=True, help="Protect the key by a passphrase.")
@click.option(
    "--key-file",
    "key_path",
    type=click.Path(dir_okay=False, path_type=Path),
    is_flag=False,
    flag_value=Path(),
    help="Keep the key in a file, at PATH or at the usual place.",
)
@click.option("--memory", is_flag=True, help="Remember nothing longer than Limen runs.")
@click.pass_context
def init(context: click.Context, with_passphrase: bool, key_path: Path | None, memory: bool) -> None:
    """Start a profile. Without an option its key goes into the keyring of the operating system."""
    if sum((with_passphrase, key_path is not None, memory)) > 1:
        raise click.UsageError("Choose one of --passphrase, --key-file and --memory.")
    holder: HolderKind = "keyring"
    if with_passphrase:
        holder = "passphrase"
    elif key_path is not None:
        holder = "key_file"
        click.echo(key_file.WARNING, err=True)
    elif memory:
        holder = "memory"
    with caller(context) as ask:
        request = InitRequest(
            holder=holder,
            passphrase=ask_new_passphrase() if with_passphrase else None,
            # The daemon may make it, and works in another folder.
            key_file=key_path.expanduser().absolute() if key_path and key_path != Path() else None,
        )
        ask.run("init", request, ProfileStatus)
    click.echo(f"The profile is on. {WHERE[holder]}")
