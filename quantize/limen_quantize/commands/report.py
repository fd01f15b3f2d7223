"""`limen quantize report`: models of every format in one table."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import click

from limen_quantize.report.measurement import Line
from limen_quantize.report.run import ReportConfig, report_lines
from limen_quantize.report.table import markdown, plot

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.option("--model", "models", multiple=True, help="Installed model or model folder; may be given again.")
@click.option(
    "--data", multiple=True, type=_FILE, required=True, help="Annotated queries; may be given again."
)
@click.option("--prompted", type=_FILE, help="GGUF file to ask zero-shot, and with examples where given.")
@click.option("--examples", metavar="PATH", help="Training data for five examples.")
@click.option("--constrain", is_flag=True, help="Hold the --prompted model to the answer's JSON schema.")
@click.option("--limit", type=click.IntRange(1), help="That many records of each file, drawn at random.")
@click.option("--seed", default=42, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--device", type=click.Choice(["cpu", "auto", "cuda"]), default="cpu", show_default=True)
@click.option("--patterns/--no-patterns", default=True, show_default=True, help="With the recognizers.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder.")
def report(
    models: tuple[str, ...],
    data: tuple[Path, ...],
    prompted: Path | None,
    examples: str | None,
    constrain: bool,
    limit: int | None,
    seed: int,
    threads: int,
    device: str,
    patterns: bool,
    out: Path,
) -> None:
    """Measure and score models over the same queries; write report.md, report.json and report.png to OUT."""
    if not models and prompted is None:
        raise click.UsageError("give at least one --model or --prompted")
    config = ReportConfig(
        models=models,
        data=data,
        prompted=prompted,
        examples=examples,
        constrain=constrain,
        limit=limit,
        seed=seed,
        threads=threads,
        device=device,
        patterns=patterns,
    )
    out.mkdir(parents=True, exist_ok=True)
    lines: list[Line] = []
    for line in report_lines(config, lambda message: click.echo(message, err=True)):
        lines.append(line)
        # After each model, so that a report that is stopped still shows what it had.
        _write(lines, config, out)
    click.echo((out / "report.md").read_text(encoding="utf-8"))


def _write(lines: list[Line], config: ReportConfig, out: Path) -> None:
    recognizers = "on" if config.patterns else "off"
    note = (
        f"{config.threads} thread(s), device {config.device}, recognizers {recognizers}, "
        f"{config.limit or 'all'} records per file (seed {config.seed}). Scores in percent, from "
        "`limen eval privacy`. words/s: words or Han characters read per second. Peak MB: resident memory of "
        "the process that runs the model."
    )
    command = shlex.join(["limen", *sys.argv[1:]])
    (out / "report.md").write_text(markdown(lines, command=command, note=note), encoding="utf-8")
    content = {
        "config": config.model_dump(mode="json"),
        "lines": [line.model_dump(mode="json") for line in lines],
    }
    (out / "report.json").write_text(
        json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    plot(lines, out / "report.png")
