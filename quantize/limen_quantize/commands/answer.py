"""`limen quantize answer`."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from limen_daemon.errors import ExtraMissing
from limen_quantize.queries import Language


@click.command()
@click.option(
    "--network",
    "networks",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A finished run, a network or an ONNX model folder. May be given again.",
)
@click.option("--data", multiple=True, help="Queries: a file, folder or hub name. May be given again.")
@click.option(
    "--unannotated",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Texts between lines of %%. May be given again.",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(["en", "zh"]),
    default=("en", "zh"),
    show_default=True,
)
@click.option("--max-tokens", type=click.IntRange(16, 512), default=320, show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="An .npz file.")
def answer(
    networks: tuple[Path, ...],
    data: tuple[str, ...],
    unannotated: tuple[str, ...],
    languages: tuple[str, ...],
    max_tokens: int,
    out: Path,
) -> None:
    """Write what trained networks say of texts on average, for `limen quantize train` to learn from.

    The file names texts by their hash and holds none.
    """
    try:
        from limen_quantize.teaching.networks import answer_with
    except ImportError as error:
        raise ExtraMissing('Answering needs the train extra: pip install "limen[train]"') from error
    with click.progressbar(length=1000, label="answering", show_eta=True) as bar:
        count = answer_with(
            networks,
            out,
            data=data,
            unannotated=unannotated,
            languages=cast(tuple[Language, ...], languages),
            max_tokens=max_tokens,
            report=lambda done: bar.update(max(0, int(done * 1000) - bar.pos)),
        )
    click.echo(f"{count} texts answered: {out}")
