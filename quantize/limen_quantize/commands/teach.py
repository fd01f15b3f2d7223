"""`limen quantize teach`."""

from __future__ import annotations

from pathlib import Path

import click

from limen_daemon.errors import ExtraMissing
from limen_quantize.commands.model_options import tagger_options
from limen_quantize.settings import assigned, from_file, resolve
from limen_quantize.teaching.config import TeachingConfig


@click.command()
@tagger_options
def teach(
    base: str, data: tuple[str, ...], out: Path, config: Path | None, settings: tuple[str, ...]
) -> None:
    """Train a larger model as a tagger and write its answers, for `limen quantize train` to learn from.

    With --set folds=2 two taggers each answer what the other one learned from. Writes OUT/answers.npz (no
    text in it), OUT/tagger*.safetensors and OUT/run.json. A tagger that was killed in training starts anew,
    a finished one only answers.
    """
    fields = {**from_file(config), **assigned(settings), "base": base, "data": data, "out": out}
    resolved = resolve(TeachingConfig, fields)
    try:
        from limen_quantize.teaching.run import ANSWERS_NAME
        from limen_quantize.teaching.run import teach as run
    except ImportError as error:
        raise ExtraMissing('Training needs the train extra: pip install "limen[train]"') from error
    with click.progressbar(length=1000, label="teaching", show_eta=True, item_show_func=lambda s: s) as bar:

        def report(done: float, state: str) -> None:
            bar.update(max(0, int(done * 1000) - bar.pos), state)

        scores = run(resolved, report)
    for language, one in scores.items():
        click.echo(f"held-out {language}: {one}")
    answers = out / ANSWERS_NAME
    click.echo(
        f'next: limen quantize train --teacher FOLDER --set \'distillation={{"answers": ["{answers}"]}}\''
    )
