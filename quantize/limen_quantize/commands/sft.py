"""`limen quantize sft`: tune a small causal model on annotated queries."""

from __future__ import annotations

from pathlib import Path

import click

from limen_daemon.errors import ExtraMissing
from limen_quantize.commands.model_options import causal_options
from limen_quantize.gguf.tuning_config import TuningConfig
from limen_quantize.settings import assigned, from_file, resolve


@click.command()
@causal_options
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
