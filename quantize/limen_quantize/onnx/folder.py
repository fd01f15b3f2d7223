"""Puts a model folder together: graph, tokenizer, config and manifest, in place all at once or not at all."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx

from limen_daemon.models.manifest import MANIFEST_NAME
from limen_quantize.errors import TrainingError

_KEPT = ("CARD.md",)
"""Files of an earlier version that stay when the folder is replaced."""


def write_model(folder: Path, model: onnx.ModelProto, *, network: Path, manifest: dict[str, Any]) -> None:
    """Write model.onnx, tokenizer.json and config.json (from `network`) and the manifest into `folder`.

    `manifest`: all fields but `files`, which is made here.
    """
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(folder / "model.onnx"))
    config = json.loads((network / "config.json").read_text(encoding="utf-8"))
    config.pop("_name_or_path", None)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    shutil.copyfile(network / "tokenizer.json", folder / "tokenizer.json")
    files = [_described(folder / name) for name in ("model.onnx", "tokenizer.json", "config.json")]
    content = json.dumps({**manifest, "files": files}, indent=1, ensure_ascii=False)
    (folder / MANIFEST_NAME).write_text(content + "\n", encoding="utf-8")


@contextmanager
def replaced(folder: Path, *, overwrite: bool) -> Iterator[Path]:
    """Give a scratch folder beside `folder`; it takes the place of `folder` if the block ends well.

    After a failure nothing is left behind and the old folder stands.
    Raises: `TrainingError` when `folder` exists and `overwrite` is not set.
    """
    if folder.exists() and not overwrite:
        raise TrainingError(f"{folder} exists; pass --overwrite to replace it")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield scratch
        scratch.chmod(0o755)
        for name in _KEPT:
            if (folder / name).is_file() and not (scratch / name).exists():
                shutil.copyfile(folder / name, scratch / name)
        if folder.exists():
            old = folder.with_name(f".{folder.name}-old")
            folder.replace(old)
            scratch.replace(folder)
            shutil.rmtree(old)
        else:
            scratch.replace(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _described(path: Path) -> dict[str, object]:
    content = path.read_bytes()
    return {"file": path.name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
