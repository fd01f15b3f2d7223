"""`limen quantize train`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from limen_daemon.errors import ExtraMissing
from limen_quantize.config import TrainingConfig
from limen_quantize.settings import assigned, from_file, resolve


@click.command()
@click.option(
    "--base",
    default="intfloat/multilingual-e5-small",
    show_default=True,
    help="Encoder or trained network to start from: a folder (an ONNX model's too) or a hub name.",
)
@click.option(
    "--data",
    "data",
    multiple=True,
    required=True,
    help="Training data: a file, a folder or a hub name (owner/name[:config,...]). Repeatable.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the run. The same command goes on where a killed one stopped.",
)
@click.option("--epochs", type=int, help="Passes over the data.")
@click.option(
    "--members",
    type=int,
    help="Runs with different seeds whose weights are averaged, each in its own process.",
)
@click.option("--seed", type=int, help="Seed of the first member.")
@click.option(
    "--holdout",
    type=float,
    help="Share of the data kept apart for scores and decoding rules; 0 trains on all.",
)
@click.option(
    "--teacher",
    "teachers",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="Learn from this trained network too: the folder of a network, a run or an ONNX model. Repeatable.",
)
@click.option(
    "--rules-from",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take the decoding rules of this finished run (with --holdout 0).",
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="JSON file with any field of TrainingConfig; options override it.",
)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="FIELD=JSON",
    help="Set one field, for instance --set encoder_rate=2e-4. Repeatable.",
)
def train(
    data: tuple[str, ...],
    config_file: Path | None,
    assignments: tuple[str, ...],
    rules_from: Path | None,
    teachers: tuple[str, ...],
    **options: Any,
) -> None:
    """Train a disclosure detector: one encoder, one classifier that holds every head."""
    given = {name: value for name, value in options.items() if value is not None}
    fields = {**from_file(config_file), **assigned(assignments), **given, "data": data}
    if teachers:
        fields["distillation"] = {**(fields.get("distillation") or {}), "teachers": teachers}
    config = resolve(TrainingConfig, fields)
    try:
        from limen_quantize.training_run import train as run
    except ImportError as error:
        raise ExtraMissing(
            f"Training needs the train extra ({error.name} is missing): pip install 'limen[train]'"
        ) from None
    shown = {
        **given,
        "data": list(data),
        "out": str(config.out),
        "set": list(assignments),
        "teachers": list(teachers),
    }
    with click.progressbar(length=1000, label="training", show_eta=True, item_show_func=lambda s: s) as bar:

        def report(done: float, state: str) -> None:
            bar.update(max(0, int(done * 1000) - bar.pos), state)

        record = run(config, report, given=shown, rules_from=rules_from)
    for language, scores in record.held_out.items():
        click.echo(f"held-out {language}: {scores}")
    click.echo(f"network: {config.out / 'network'}; record: {config.out / 'run.json'}")
    click.echo(f"next: limen quantize onnx --run {config.out} --out FOLDER")
