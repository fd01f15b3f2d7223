"""Runs one detector over the data in a process of its own: `python -m limen_quantize.report.measuring`."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

import numpy as np

from limen_daemon.detector import Detector, load_detector
from limen_daemon.detector.gguf import GgufDetector
from limen_daemon.detector.loading import load_folder
from limen_daemon.detector.union import UnionDetector
from limen_daemon.errors import DetectorError
from limen_daemon.models.manifest import read_manifest
from limen_daemon.models.registry import find_model
from limen_quantize.report.measurement import Job, Measurement, Timing
from limen_quantize.report.subset import DataPart, draw

_COUNTED = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_TIERS = ("disclosure", "secret")
_WARM_UP = ("Hello, how are you?", "你好，最近怎么样？")


def _peak_mb(pid: int | str) -> float | None:
    """Highest resident memory of a process in MB, where the system tells it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found.group(1)) / 1000 if found else None


def _open(job: Job) -> tuple[Detector, Path]:
    folder = Path(job.model)
    if (folder / "manifest.json").is_file():
        return load_folder(folder, device=job.device, threads=job.threads, patterns=job.patterns), folder
    detector = load_detector(job.model, device=job.device, threads=job.threads, patterns=job.patterns)
    return detector, find_model(job.model).folder


def _time(detector: Detector, part: DataPart, folder: Path) -> Timing:
    rows: list[dict[str, object]] = []
    spent_s: list[float] = []
    words = not_checked = 0
    for query in part.queries:
        began = time.perf_counter()
        try:
            detection = detector.detect(query.text)
            findings = detection.findings if detection.checked_by == "model" else None
        except DetectorError:
            findings = None
        spent_s.append(time.perf_counter() - began)
        not_checked += findings is None
        words += len(_COUNTED.findall(query.text))
        privacy = [
            {"phrase": f.phrase, "privacy information": f.information, "category": f.category.value}
            for f in findings or ()
            if f.tier in _TIERS
        ]
        rows.append({"id": query.id, "turn": query.turn, "privacy": privacy})
    path = folder / f"{part.path.stem}.predictions.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return Timing(
        data=str(part.path),
        predictions=str(path),
        queries=len(rows),
        not_checked=not_checked,
        p50_ms=1000 * float(np.percentile(spent_s, 50)),
        p95_ms=1000 * float(np.percentile(spent_s, 95)),
        words_per_s=words / sum(spent_s),
    )


def measure(job: Job) -> Measurement:
    """Load the model, check every query of every file, and say what it took."""
    began = time.perf_counter()
    detector, folder = _open(job)
    try:
        load_s = time.perf_counter() - began
        for text in _WARM_UP:
            detector.detect(text)
        parts = [draw(Path(path), limit=None, seed=0) for path in job.data]
        timings = [_time(detector, part, Path(job.out)) for part in parts]
        inner = detector.model if isinstance(detector, UnionDetector) else detector
        pid = inner.process.pid if isinstance(inner, GgufDetector) else "self"
        manifest = read_manifest(folder)
        return Measurement(
            model=manifest.name,
            format=manifest.format,
            device=detector.info.device,
            file_mb=sum(entry.bytes for entry in manifest.files if _is_weights(entry.file)) / 1e6,
            load_s=load_s,
            peak_mb=_peak_mb(pid) if pid is not None else None,
            timings=timings,
        )
    finally:
        detector.close()


def _is_weights(name: str) -> bool:
    return name.endswith((".onnx", ".gguf"))


if __name__ == "__main__":
    print(measure(Job.model_validate_json(sys.stdin.read())).model_dump_json())
