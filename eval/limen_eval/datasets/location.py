"""Where a data set is: `--data`, else under `LIMEN_DATA`, else in the hub's cache."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from limen_eval.errors import DataError

HUB_PREFIX = "hub:"
PRIVACY_HUB = "Nidhogg-zh/Interaction_Dialogue_with_Privacy"
CIDER_HUB = "peach-lab/CIDER"


def privacy_files(data: str | None, *, language: str | None, split: str) -> list[Path]:
    """The files of annotated queries: a file, a folder, `hub:owner/name`, or a folder of `LIMEN_DATA`."""
    if data is not None and data.startswith(HUB_PREFIX):
        return _queries(_matching(_hub_folder(data.removeprefix(HUB_PREFIX), download=True), language, split))
    if data is not None:
        path = _existing(data)
        return [path] if path.is_file() else _queries(_matching(path, language, None))
    home = os.environ.get("LIMEN_DATA")
    if home and (Path(home) / "real").is_dir():
        return _queries(_matching(Path(home) / "real", language, None))
    return _queries(_matching(_hub_folder(PRIVACY_HUB, download=False), language, split))


def cider_files(data: str | None) -> tuple[Path, Path]:
    """`scenarios.jsonl` and `user_ratings.jsonl` of CIDER."""
    home = os.environ.get("LIMEN_DATA")
    if data is not None and data.startswith(HUB_PREFIX):
        folder = _hub_folder(data.removeprefix(HUB_PREFIX), download=True)
    elif data is not None:
        folder = _existing(data)
    elif home and (Path(home) / "cider").is_dir():
        folder = Path(home) / "cider"
    else:
        folder = _hub_folder(CIDER_HUB, download=False)
    found = []
    for name in ("scenarios.jsonl", "user_ratings.jsonl"):
        path = next(iter(sorted(folder.rglob(name))), None)
        if path is None:
            raise DataError(f"{folder}: no {name}; this is not a folder of CIDER")
        found.append(path)
    return found[0], found[1]


def _existing(data: str) -> Path:
    path = Path(data)
    if not path.exists() and (home := os.environ.get("LIMEN_DATA")):
        path = Path(home) / data
    if not path.exists():
        raise DataError(f"{data}: no such file or folder, here or under LIMEN_DATA")
    return path


def _matching(folder: Path, language: str | None, split: str | None) -> list[Path]:
    """Data files of a folder; a language or split in the file names narrows the choice."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in (".json", ".jsonl") and p.is_file())
    for word in filter(None, (language, split)):
        files = _narrowed(files, word, folder)
    if not files:
        raise DataError(f"{folder}: no .json or .jsonl file")
    return files


def _queries(files: Sequence[Path]) -> list[Path]:
    """Without the files that are plainly something else; the published folder has a table of categories."""
    return [path for path in files if not _is_table(path)] or list(files)


def _is_table(path: Path) -> bool:
    """One JSON object with no field of a query: broken or half-filled records still count as queries."""
    if path.suffix != ".json":
        return False
    try:
        with path.open(encoding="utf-8-sig") as file:
            if not file.read(1024).lstrip().startswith("{"):
                return False
            file.seek(0)
            value = json.load(file)
    except (OSError, ValueError):
        return False  # the reader names what is wrong
    return isinstance(value, dict) and not value.keys() & {"id", "user", "conversation", "privacy"}


def _narrowed(files: Sequence[Path], word: str, folder: Path) -> list[Path]:
    def names(path: Path) -> list[str]:
        text = str(path.relative_to(folder)).lower()
        return text.replace("/", "_").replace("-", "_").replace(".", "_").split("_")

    narrowed = [path for path in files if word in names(path)]
    return narrowed or list(files)


def _hub_folder(name: str, *, download: bool) -> Path:
    """The snapshot of a hub data set; without `download`, only what is in the cache already."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise DataError("huggingface-hub is not installed: pip install huggingface-hub") from error
    try:
        return Path(
            snapshot_download(
                name,
                repo_type="dataset",
                allow_patterns=["*.json", "*.jsonl"],
                local_files_only=not download,
            )
        )
    except LocalEntryNotFoundError as error:
        hint = f"give --data, set LIMEN_DATA, or fetch it with --data {HUB_PREFIX}{name}"
        raise DataError(f"no data set found: {name} is not in the hub's cache; {hint}") from error
    except (HfHubHTTPError, OSError) as error:
        raise DataError(f"{name} could not be fetched from the hub: {type(error).__name__}") from error
