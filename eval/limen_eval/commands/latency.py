"""`limen eval latency`: time, memory and cold start per detector and text length."""

from __future__ import annotations

from typing import Any

import click

from limen_eval.commands.options import given_options, out_folder, run_options, say, show
from limen_eval.commands.session import run_to_end
from limen_eval.latency.results import LatencyResult
from limen_eval.latency.run import latency_text, measure
from limen_eval.records.folder import RunFolder
from limen_eval.records.gates import check_gates
from limen_eval.records.manifest import Manifest
from limen_eval.report.page import write_report


def parse_lengths(ctx: click.Context, param: click.Parameter, value: str) -> list[int]:
    """`50,200,1000` as numbers; anything else is a usage error."""
    try:
        lengths = [int(part) for part in value.split(",")]
    except ValueError as error:
        raise click.BadParameter("give numbers with commas, for instance 50,200,1000", ctx, param) from error
    if min(lengths) < 1:
        raise click.BadParameter("every length is at least 1", ctx, param)
    return lengths


@click.command()
@click.option(
    "--detector",
    "names",
    multiple=True,
    help="Detector to measure; repeat to compare. Default: the shipped one.",
)
@click.option(
    "--lengths", callback=parse_lengths, default="50,200,1000,4000", show_default=True, help="Characters."
)
@click.option(
    "--repeats", type=click.IntRange(2), default=50, show_default=True, help="Timed runs per length."
)
@click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of the texts."
)
@click.option("--device", default="auto", show_default=True, help="Where models run: auto, cpu, cuda.")
@click.option(
    "--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of each model."
)
@run_options
@click.pass_context
def latency(ctx: click.Context, /, **options: Any) -> None:
    """Measure detectors, each in a process of its own."""
    settings = {name: options[name] for name in ("device", "threads", "language", "lengths", "repeats")}
    names: list[str | None] = list(options["names"]) or [None]
    manifest = Manifest(
        kind="latency", given=given_options(ctx), resolved={**settings, "names": names}, seeds={}, files=[]
    )
    out = out_folder(options["out"], "latency")
    folder = RunFolder.start(out, manifest, overwrite=options["overwrite"], resume=options["resume"])
    results: list[LatencyResult] = []

    async def work() -> None:
        results.append(await measure(names, **settings))

    run_to_end(folder, work())
    scores = results[0].model_dump(mode="json")
    folder.finish(scores, scores)
    if options["report"]:
        write_report([folder])
    say(f"run: {folder.path}")
    show(scores, latency_text(results[0]), options["json_out"])
    check_gates(options["gates"], scores)
