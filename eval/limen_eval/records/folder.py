"""A run's folder: `run.json`, `predictions.jsonl`, `answers.jsonl` (language models), `scores.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from limen_eval.errors import RunError
from limen_eval.records.atomic import write_atomic
from limen_eval.records.journal import Journal, read_rows
from limen_eval.records.manifest import RECORD_VERSION, Manifest, now


class RunFolder:
    """One run on disk. Predictions are appended as they come; the manifest is replaced whole."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest

    @classmethod
    def start(
        cls, path: Path, manifest: Manifest, *, overwrite: bool = False, resume: bool = False
    ) -> RunFolder:
        """Create the folder, or continue an unfinished run of the same configuration.

        Raises: `RunError` if the folder holds another run, or a finished one and neither flag is given.
        """
        if resume and (path / "run.json").exists():
            return cls._continue(path, manifest)
        if path.exists() and any(path.iterdir()):
            if not overwrite:
                raise RunError(f"{path} is not empty: choose another --out, or give --resume or --overwrite")
            cls._clear(path)
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, manifest)
        folder.save()
        return folder

    @classmethod
    def _continue(cls, path: Path, manifest: Manifest) -> RunFolder:
        folder = cls.open(path)
        old = folder.manifest
        if old.kind != manifest.kind or old.resolved != manifest.resolved:
            keys = old.resolved.keys() | manifest.resolved.keys()
            changed = sorted(k for k in keys if old.resolved.get(k) != manifest.resolved.get(k))
            raise RunError(
                f"{path} was started with other settings ({', '.join(changed) or 'kind'}): use another --out"
            )
        if [(f.path, f.sha256) for f in old.files] != [(f.path, f.sha256) for f in manifest.files]:
            raise RunError(
                f"{path}: the data or the model changed since the run was started: use another --out"
            )
        old.status = "started"
        folder.save()
        return folder

    @staticmethod
    def _clear(path: Path) -> None:
        """Remove the files of an earlier run, and nothing that is not one."""
        if not (path / "run.json").exists():
            raise RunError(f"{path} holds files but no run.json: it is not a run folder and is left alone")
        for name in ("run.json", "predictions.jsonl", "answers.jsonl", "scores.json", "report.html"):
            (path / name).unlink(missing_ok=True)
        for plot in (path / "plots").glob("*.*"):
            plot.unlink()

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open an existing run. Raises: `RunError` if it is not one that this version understands."""
        try:
            raw = json.loads((path / "run.json").read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError) as error:
            raise RunError(f"{path}: no readable run.json") from error
        if isinstance(raw, dict) and raw.get("version") != RECORD_VERSION:
            raise RunError(f"{path}: record version {raw.get('version')}, this Limen reads {RECORD_VERSION}")
        try:
            return cls(path, Manifest.model_validate(raw))
        except ValidationError as error:
            raise RunError(f"{path}: run.json is damaged ({error.error_count()} fields)") from error

    def save(self) -> None:
        """Write `run.json` whole."""
        write_atomic(self.path / "run.json", self.manifest.model_dump_json(indent=1) + "\n")

    def predictions(self) -> Iterator[dict[str, Any]]:
        """The rows written so far, in the order they were made."""
        return read_rows(self.path / "predictions.jsonl")

    def journal(self, name: str = "predictions.jsonl") -> Journal:
        """Open a journal of this run for appending; the caller closes it."""
        return Journal(self.path / name)

    def finish(self, result: dict[str, Any], scores: dict[str, Any]) -> None:
        """Write the scores, then mark the run finished."""
        write_atomic(self.path / "scores.json", json.dumps(scores, ensure_ascii=False, indent=1) + "\n")
        self.manifest.result = result
        self.manifest.status = "finished"
        self.manifest.finished_at = now()
        self.save()

    def stop(self, status: str) -> None:
        """Mark the run `interrupted` or `failed`; it can be resumed."""
        self.manifest.status = "failed" if status == "failed" else "interrupted"
        self.save()

    def scores(self) -> dict[str, Any]:
        """The full scores of a finished run."""
        try:
            scores: dict[str, Any] = json.loads((self.path / "scores.json").read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError) as error:
            raise RunError(
                f"{self.path}: no scores yet: finish it with --resume, or run limen eval rescore"
            ) from error
        return scores
