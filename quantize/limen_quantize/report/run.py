"""One run of the report: every model over the same queries, one after the other."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from limen_quantize.errors import TrainingError
from limen_quantize.report.measurement import Job, Line, Measurement
from limen_quantize.report.prompted import Style, prompted_line
from limen_quantize.report.scoring import score_file
from limen_quantize.report.subset import DataPart, draw


class ReportConfig(BaseModel):
    """What a report covers. `limit`: that many records of each data file, drawn with `seed`; None: all."""

    model_config = ConfigDict(frozen=True)

    models: tuple[str, ...]
    data: tuple[Path, ...]
    prompted: Path | None = None
    """A GGUF file that is asked zero-shot and with five examples."""
    examples: str | None = None
    constrain: bool = False
    """Hold the prompted model to the answer's JSON schema: small ones write none of their own accord."""
    limit: int | None = None
    seed: int = 42
    threads: int = 1
    device: str = "cpu"
    patterns: bool = True


def report_lines(config: ReportConfig, say: Callable[[str], None]) -> Iterator[Line]:
    """Yield the lines model by model. Texts and predictions lie in a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="limen-report-") as name:
        work = Path(name)
        parts = [draw(path, limit=config.limit, seed=config.seed) for path in config.data]
        files = [part.write(work) for part in parts]
        for number, model in enumerate(config.models):
            say(f"measuring {model}")
            yield from _detector_lines(config, model, parts, files, _folder(work, f"model-{number}"))
        styles: tuple[Style, ...] = ("zero-shot", "icl") if config.examples else ("zero-shot",)
        for style in styles if config.prompted is not None else ():
            for part, file in zip(parts, files, strict=True):
                say(f"asking {config.prompted} {style}, {part.language}")
                yield prompted_line(
                    config.prompted or Path(),
                    style,
                    file,
                    part.language,
                    work / f"{style}-{file.stem}",
                    examples=config.examples if style == "icl" else None,
                    threads=config.threads,
                    constrain=config.constrain,
                )


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def _detector_lines(
    config: ReportConfig, model: str, parts: Sequence[DataPart], files: Sequence[Path], folder: Path
) -> Iterator[Line]:
    job = Job(
        model=model,
        data=[str(file) for file in files],
        out=str(folder),
        threads=config.threads,
        device=config.device,
        patterns=config.patterns,
    )
    measured = _measure(job)
    for part, file, timing in zip(parts, files, measured.timings, strict=True):
        yield Line(
            model=measured.model,
            format=measured.format,
            device=measured.device,
            language=part.language,
            file_mb=measured.file_mb,
            load_s=measured.load_s,
            peak_mb=measured.peak_mb,
            words_per_s=timing.words_per_s,
            p50_ms=timing.p50_ms,
            p95_ms=timing.p95_ms,
            not_checked=timing.not_checked,
            scores=score_file(file, Path(timing.predictions), part.language, folder / f"scores-{file.stem}"),
        )


def _measure(job: Job) -> Measurement:
    done = subprocess.run(
        [sys.executable, "-m", "limen_quantize.report.measuring"],
        input=job.model_dump_json(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["no message"]
        raise TrainingError(f"{job.model} could not be measured: {said[-1]}")
    return Measurement.model_validate_json(done.stdout)
