"""`limen quantize scores`."""

from __future__ import annotations

from pathlib import Path

import click

COMMAND = "limen eval privacy --data NAME --json -"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--result",
    "results",
    multiple=True,
    required=True,
    metavar="NAME=FILE",
    help="A data set's name and the JSON that `limen eval privacy` wrote for it. Repeatable.",
)
@click.option(
    "--command",
    default=COMMAND,
    show_default=True,
    help="The command that printed them; NAME stands for the data set.",
)
def scores(folder: Path, results: tuple[str, ...], command: str) -> None:
    """Write evaluation results into the manifest of a model FOLDER."""
    from limen_quantize.onnx.score_sheet import write_scores

    named: dict[str, Path] = {}
    for result in results:
        name, equals, path = result.partition("=")
        if not equals or not Path(path).is_file():
            raise click.UsageError(f"--result needs NAME=FILE with an existing file, not {result!r}")
        named[name] = Path(path)
    write_scores(folder, named, command)
    click.echo(f"{folder}: scores of {', '.join(named)} written")
