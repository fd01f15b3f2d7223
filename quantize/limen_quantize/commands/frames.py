"""`limen quantize frames`: fit which sentence frame restates a phrase, on training data."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(
    epilog="\b\nExample:\n  limen quantize frames --data quantize/corpus --data ../shared/data/real_train"
)
@click.option(
    "--data", multiple=True, required=True, help="Training data: a file, folder or hub name. Repeatable."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write weights_en.json and weights_zh.json here (the daemon's limen_daemon/information folder).",
)
def frames(data: tuple[str, ...], out: Path | None) -> None:
    """Print cross-validated mean Rouge-L by category (plain template, chosen frame); write the weights."""
    from limen_quantize.frame_choice import cross_validated, examples_of, fit
    from limen_quantize.queries import Language
    from limen_quantize.readers import files_of, read

    names = [name for source in data for name in [str(path) for path in files_of(source)] or [source]]
    queries = [query for name in names for query in read(name)]
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        examples = examples_of(queries, language)
        if not examples:
            continue
        click.echo(f"{language}: phrases, Rouge-L of the plain template, of the chosen frame")
        for score in cross_validated(examples, language):
            click.echo(f"  {score.category:14} {score.phrases:6d}  {score.template:.3f}  {score.chosen:.3f}")
        if out is not None:
            path = out / f"weights_{language}.json"
            content = json.dumps(
                fit(examples, language), ensure_ascii=False, sort_keys=True, separators=(",", ":")
            )
            path.write_text(content + "\n", encoding="utf-8")
