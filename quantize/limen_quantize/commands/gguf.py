"""`limen quantize gguf`: a float GGUF model at several quantization levels."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from limen_daemon.detector.generative.instructions import FRAMES
from limen_daemon.detector.gguf import GgufSettings
from limen_daemon.models.manifest import MANIFEST_NAME, file_sha256
from limen_quantize.gguf.levels import LEVELS, write_model_folder


@click.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Default: beside SOURCE.")
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=click.Choice(sorted(LEVELS)),
    default=("Q8_0", "Q4_K_M"),
    show_default=True,
    help="May be given again.",
)
@click.option("--name", help="Name of the model; the level is added. Default: from SOURCE.")
@click.option("--licence", default="Apache-2.0", show_default=True, help="Licence of the base model.")
@click.option("--language", "languages", multiple=True, default=("en", "zh"), show_default=True)
@click.option("--frame", type=click.Choice(sorted(FRAMES)), default="chatml", show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def gguf(
    source: Path,
    out: Path | None,
    levels: tuple[str, ...],
    name: str | None,
    licence: str,
    languages: tuple[str, ...],
    frame: str,
    threads: int,
) -> None:
    """Quantize SOURCE (a float .gguf file, or a run folder of `limen quantize sft`) with llama.cpp.

    Each level becomes a model folder with a manifest: add it with `limen models add`.
    """
    from limen_quantize.gguf.tuning_config import TUNED_NAME

    file = source / TUNED_NAME if source.is_dir() else source
    parent = out or file.parent
    stem = name or (source.name if source.is_dir() else source.stem)
    settings = GgufSettings.model_validate({"frame": frame, "languages": languages})
    for level in dict.fromkeys(levels):
        model = f"{stem}-{level.lower().replace('_', '-')}"
        manifest = write_model_folder(
            file, parent / model, level, name=model, licence=licence, settings=settings, threads=threads
        )
        click.echo(f"{parent / model}  {manifest.files[0].bytes / 1e6:.1f} MB")
        digest = file_sha256(parent / model / MANIFEST_NAME)
        command = ["limen", "models", "add", str(parent / model), "--i-trust-this", digest]
        click.echo(f"  {shlex.join(command)}")
