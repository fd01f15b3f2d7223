"""`limen models`: the models on this computer, and which one is used."""

from __future__ import annotations

from pathlib import Path

import click

_SHA256 = "sha256 of its manifest.json (or of the .gguf file), as its author publishes it"


@click.group()
def models() -> None:
    """List, verify, choose, add and pull models."""


@click.command("list", epilog="\b\nExample:\n  limen models list")
def list_models() -> None:
    """Show every model; the one in use is marked."""
    from limen_daemon.models.registry import PATTERNS, current_model, installed_models

    current = current_model()
    for model in installed_models():
        mark = "*" if model.name == current else " "
        if model.manifest is None:
            click.echo(f"{mark} {model.name:28} cannot be used: {model.problem}")
            continue
        size_mb = sum(entry.bytes for entry in model.manifest.files) / 1e6
        origin = "shipped" if model.shipped else "added"
        languages = ",".join(model.manifest.languages)
        click.echo(
            f"{mark} {model.name:28} {model.manifest.version:8} {model.manifest.format:5} {size_mb:8.1f} MB  "
            f"{languages:10} {origin:8} {model.manifest.licence}"
        )
    click.echo(
        f"{'*' if current == PATTERNS else ' '} {PATTERNS:28} identifiers, keys and passwords only; no model"
    )


@click.command(epilog="\b\nExample:\n  limen models verify limen-e5-small")
@click.argument("name", required=False)
def verify(name: str | None) -> None:
    """Compare the files of NAME (else of every model) with their manifests."""
    from limen_daemon.errors import ModelDamaged
    from limen_daemon.models.adding import check_files
    from limen_daemon.models.manifest import verify as differences
    from limen_daemon.models.registry import find_model, installed_models

    broken = []
    for model in [find_model(name)] if name else installed_models():
        problems = [model.problem or "it cannot be read"]
        if model.manifest is not None:
            problems = differences(model.folder, model.manifest)
            if not problems:
                check_files(model.folder, model.manifest)
        for problem in problems:
            click.echo(f"{model.name}: {problem}")
        if problems:
            broken.append(model.name)
        else:
            click.echo(f"{model.name}: whole")
    if broken:
        raise ModelDamaged(
            f"{', '.join(broken)} cannot be trusted. Add or install again, or use another model."
        )


@click.command(epilog="\b\nExample:\n  limen models use limen-e5-small")
@click.argument("name")
def use(name: str) -> None:
    """Check with NAME from now on (`patterns` for no model)."""
    from limen_daemon.models.choosing import choose_model

    choose_model(name)
    click.echo(f"Limen now uses {name}. A running daemon follows in a few seconds unless LIMEN_MODEL is set.")


@click.command(epilog="\b\nExample:\n  limen models add ./my-model --i-trust-this 3b1f…64 hex digits")
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("--i-trust-this", "sha256", required=True, metavar="SHA256", help=_SHA256)
def add(path: Path, sha256: str) -> None:
    """Add the model folder or .gguf file at PATH. Its files are checked before they are used."""
    from limen_daemon.models.adding import add_model

    manifest = add_model(path, sha256)
    click.echo(f"Added {manifest.name}. Use it: limen models use {manifest.name}")


@click.command(epilog="\b\nExample:\n  limen models pull owner/name --i-trust-this 3b1f…64 hex digits")
@click.argument("repository")
@click.option("--revision", help="Branch, tag or commit (default: the main branch).")
@click.option("--i-trust-this", "sha256", required=True, metavar="SHA256", help=_SHA256)
def pull(repository: str, revision: str | None, sha256: str) -> None:
    """Download the model REPOSITORY from the Hugging Face hub and add it. Run it again after a break."""
    from limen_daemon.models.hub import pull_model

    manifest = pull_model(repository, revision, sha256, lambda line: click.echo(line, err=True))
    click.echo(f"Added {manifest.name}. Use it: limen models use {manifest.name}")


for _command in (list_models, verify, use, add, pull):
    models.add_command(_command)
