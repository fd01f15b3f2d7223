"""Training data readers: a path or a hub name in, annotated queries out."""

from __future__ import annotations

from pathlib import Path

from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.readers.dialogues import read_dialogues
from limen_quantize.readers.hub import read_hub
from limen_quantize.readers.inline import read_inline
from limen_quantize.readers.unannotated import read_unannotated

__all__ = ["files_of", "read", "read_dialogues", "read_hub", "read_inline", "read_unannotated"]

_SUFFIXES = {".txt", ".json", ".jsonl"}
_NOT_DATA = {"private_categories_merged.json"}


def files_of(source: str) -> list[Path]:
    """The data files of a path (a file, or a folder's files); empty when it is not a path on this disk."""
    path = Path(source)
    if path.is_dir():
        found = sorted(
            item for item in path.iterdir() if item.suffix in _SUFFIXES and item.name not in _NOT_DATA
        )
        if not found:
            raise DataError(f"{path}: holds no .txt, .json or .jsonl file")
        return found
    return [path] if path.is_file() else []


def read(source: str, *, strict: bool = True) -> list[AnnotatedQuery]:
    """Read one source: a folder or file on disk, else `owner/name[:config,config]` on the hub."""
    files = files_of(source)
    if files:
        readers = [
            read_inline(path) if path.suffix == ".txt" else read_dialogues(path, strict=strict)
            for path in files
        ]
        return [query for queries in readers for query in queries]
    name, _, configs = source.partition(":")
    if name.count("/") != 1 or name.startswith((".", "/")):
        raise DataError(f"{source}: no such file or folder, and not a hub name (owner/name)")
    return read_hub(name, configs=tuple(part for part in configs.split(",") if part))
