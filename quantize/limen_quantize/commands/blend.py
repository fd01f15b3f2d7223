"""`limen quantize blend`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_daemon.errors import ExtraMissing


@click.command()
@click.option(
    "--run",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="Folder of a finished `limen quantize train`.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="Another finished run, or the ONNX model folder of a version, from the same encoder.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Its share of the mean.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of the result."
)
def blend(run: Path, model: Path, share: float, out: Path) -> None:
    """Average a trained network with another one's weights."""
    try:
        from limen_quantize.blending import blend as make
    except ImportError as error:
        raise ExtraMissing(
            f"Averaging needs the train extra ({error.name} is missing): pip install 'limen[train]'"
        ) from None
    record = make(run, model, out, share=share)
    for language, scores in record.held_out.items():
        click.echo(f"held-out {language}: {scores}")
    click.echo(f"next: limen quantize onnx --run {out} --out FOLDER")
