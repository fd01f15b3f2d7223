"""`limen quantize vary`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_daemon.errors import ExtraMissing
from limen_quantize.settings import assigned, from_file, resolve


@click.command()
@click.option("--encoder", required=True, help="An English encoder: a folder or owner/repo on the hub.")
@click.option("--data", multiple=True, required=True, help="File, folder or hub name; may be given again.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="A text file.")
@click.option(
    "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="JSON of settings."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="One setting. Repeatable.")
def vary(
    encoder: str, data: tuple[str, ...], out: Path, config: Path | None, settings: tuple[str, ...]
) -> None:
    """Write variants of English queries, words exchanged for similar ones, for teachers to answer."""
    try:
        from limen_quantize.variation import VariationConfig, write_variants
    except ImportError as error:
        raise ExtraMissing('Variants need the train extra: pip install "limen[train]"') from error
    fields = {**from_file(config), **assigned(settings), "encoder": encoder, "data": data, "out": out}
    count = write_variants(resolve(VariationConfig, fields))
    click.echo(f"{count} variants: {out}")
