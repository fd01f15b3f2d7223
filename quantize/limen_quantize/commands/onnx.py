"""`limen quantize onnx`."""

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
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Model folder to write."
)
@click.option("--name", help="The model's name; the folder's name when not given.")
@click.option(
    "--version", "version", default="1", show_default=True, help="The model's version, part of its id."
)
@click.option(
    "--precision",
    type=click.Choice(["int8", "int8-static", "fp16", "fp32"]),
    default="int8",
    show_default=True,
)
@click.option(
    "--sentence-layer",
    default=4,
    show_default=True,
    help="Layer, from 0, that the sentence vector is taken from.",
)
@click.option(
    "--parity-queries",
    default=400,
    show_default=True,
    help="Training queries to compare with the float model; 0 skips it.",
)
@click.option(
    "--max-loss",
    default=0.5,
    show_default=True,
    help="Fail (exit 3) when accuracy or phrase F1 falls by more points than this.",
)
@click.option("--keep-rules", is_flag=True, help="Keep the decoding rules chosen by the float network.")
@click.option("--per-tensor", is_flag=True, help="One INT8 scale per matrix instead of one per column.")
@click.option("--full-range", is_flag=True, help="8-bit weights; only for processors with VNNI.")
@click.option("--overwrite", is_flag=True, help="Replace an existing folder.")
@click.pass_context
def onnx(
    context: click.Context,
    run: Path,
    out: Path,
    name: str | None,
    version: str,
    precision: str,
    sentence_layer: int,
    parity_queries: int,
    max_loss: float,
    keep_rules: bool,
    per_tensor: bool,
    full_range: bool,
    overwrite: bool,
) -> None:
    """Export a trained network to ONNX, quantize it and compare it with the float model."""
    try:
        from limen_quantize.onnx.build import BuildConfig, build
        from limen_quantize.onnx.quantization import QuantizationSettings
    except ImportError as error:
        raise ExtraMissing(
            f"Exporting needs the train extra ({error.name} is missing): pip install 'limen[train]'"
        ) from None
    config = BuildConfig.model_validate(
        {
            "run": run,
            "out": out,
            "name": name or out.name,
            "version": version,
            "precision": precision,
            "quantization": QuantizationSettings(per_channel=not per_tensor, reduce_range=not full_range),
            "sentence_layer": sentence_layer,
            "parity_queries": parity_queries,
            "own_rules": not keep_rules,
            "overwrite": overwrite,
        }
    )
    measured = build(config)
    size = (out / "model.onnx").stat().st_size / 1e6
    click.echo(f"{out}: {precision}, {size:.1f} MB")
    if measured is None:
        return
    for language in measured.full:
        click.echo(f"{language} float:     {measured.full[language]}")
        click.echo(f"{language} {precision + ':':10} {measured.quantized[language]}")
    click.echo(
        f"same phrases in {measured.same_answer:.1%} of the queries, "
        f"worst fall {measured.loss_points:.2f} points"
    )
    if measured.loss_points > max_loss:
        click.echo(f"limen: the quantized model falls by more than {max_loss} points", err=True)
        context.exit(3)
