"""`limen eval cider`: the prediction task of Guo et al. 2026."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from limen_eval.cider import run
from limen_eval.cider.baselines import Baseline, RandomBaseline, always, cell_mean, group
from limen_eval.cider.prompted import PromptedPredictor
from limen_eval.cider.protocol import Protocol
from limen_eval.cider.rows import ContextFacts
from limen_eval.cider.split import FIRST_TEST_POSITION, SPLIT_SEED, split
from limen_eval.cider.summary import summary_text
from limen_eval.cider.wording import PromptVersion, Setup
from limen_eval.commands.options import (
    data_options,
    given_options,
    model_options,
    out_folder,
    policy_of,
    run_options,
    say,
    show,
)
from limen_eval.commands.session import run_to_end
from limen_eval.datasets.location import cider_files
from limen_eval.datasets.ratings import Cider, read_cider
from limen_eval.llm.opening import open_model
from limen_eval.records.folder import RunFolder
from limen_eval.records.gates import check_gates
from limen_eval.records.manifest import Manifest
from limen_eval.records.provenance import file_hashes
from limen_eval.report.page import write_report

PREDICTORS = ("always-yes", "always-no", "random", "cell-mean", "group", "boundary", "llm")


def parse_curve(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...]:
    """`0,1,4,5,6` as numbers; anything else is a usage error."""
    try:
        ks = tuple(sorted({int(part) for part in value.split(",")})) if value else ()
    except ValueError as error:
        raise click.BadParameter("give numbers with commas, for instance 0,1,4,5,6", ctx, param) from error
    if any(not 0 <= k <= FIRST_TEST_POSITION for k in ks):
        raise click.BadParameter(f"every k lies between 0 and {FIRST_TEST_POSITION}", ctx, param)
    return ks


@click.command()
@data_options
@click.option(
    "--k",
    type=click.IntRange(0, FIRST_TEST_POSITION),
    default=6,
    show_default=True,
    help="Scenarios in the history.",
)
@click.option(
    "--curve",
    callback=parse_curve,
    metavar="K,K,...",
    help="Also run these k, for the curve; 0 is the baseline of the FP/FN shift.",
)
@click.option(
    "--predictor", type=click.Choice(PREDICTORS), default="boundary", show_default=True, help="Who predicts."
)
@click.option(
    "--protocol",
    type=click.Choice(get_args(Protocol)),
    default="known-scenarios",
    show_default=True,
    help="May a predictor learn from others' ratings of the test scenario.",
)
@click.option(
    "--setup",
    type=click.Choice(get_args(Setup)),
    default="HC",
    show_default=True,
    help="What an llm sees: history with context, with labels, bare, or none.",
)
@click.option(
    "--prompt",
    "version",
    type=click.Choice(get_args(PromptVersion)),
    default="v0",
    show_default=True,
    help="Wording of HC: as published, terse, verbose.",
)
@click.option(
    "--norms/--no-norms",
    default=True,
    show_default=True,
    help="Give the boundary predictor what people in general are expected to accept in each scenario.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first N of the 636 predictions.")
@click.option(
    "--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of a GGUF model."
)
@click.option("--seed", type=int, default=42, show_default=True, help="Seed of the language model.")
@model_options
@run_options
@click.pass_context
def cider(ctx: click.Context, /, **options: Any) -> None:
    """Predict which disclosures one person accepts, from what they accepted before."""
    policy = policy_of(options["skip_bad"])
    files = cider_files(options["data"])
    data = read_cider(*files, policy=policy)
    out = out_folder(options["out"], f"cider-{options['predictor']}")
    if options["predictor"] == "llm" and options["version"] != "v0" and options["setup"] != "HC":
        raise click.UsageError("--prompt v1 and v2 rephrase --setup HC only")
    predictor, model_files = _predictor(options, data, out)
    k = 0 if options["predictor"] == "llm" and options["setup"] == "none" else options["k"]
    by_k = {
        each: split(data.participants, k=each)[: options["limit"]] for each in sorted({k, *options["curve"]})
    }
    manifest = Manifest(
        kind="cider",
        given=given_options(ctx),
        resolved={**_resolved(options), "k": k, "ks": sorted(by_k), "detector": predictor.describe()},
        seeds={"split": SPLIT_SEED, "model": options["seed"]},
        files=file_hashes([*files, *model_files]),
        detector=predictor.describe(),
        skipped=policy.counts(),
    )
    folder = RunFolder.start(out, manifest, overwrite=options["overwrite"], resume=options["resume"])

    async def work() -> None:
        try:
            await run.predict(folder, by_k, ContextFacts(data.participants), predictor)
        finally:
            await predictor.close()

    run_to_end(folder, work())
    scores = run.finish(folder)
    if options["report"]:
        write_report([folder])
    failed = scores.chosen.n_failed
    say(f"run: {folder.path}; failed: {failed} of {failed + scores.chosen.n_predictions}")
    result = folder.manifest.result or {}
    show(result, summary_text(scores), options["json_out"])
    check_gates(options["gates"], result)


def _predictor(options: dict[str, Any], data: Cider, out: Path) -> tuple[run.Predictor, list[Path]]:
    """The predictor, and the model files that decide its numbers."""
    name, everyone = options["predictor"], data.participants
    rules = {"always-yes": always(True), "always-no": always(False), "cell-mean": cell_mean, "group": group}
    if name in rules:
        return Baseline(name, everyone, options["protocol"], rules[name]), []
    if name == "random":
        return RandomBaseline(), []
    if name == "boundary":
        from limen_eval.cider.boundary import (
            BoundaryPredictor,
        )  # Here, so that the others need no fitting code.
        from limen_profiles.boundary.norms import cider_norms

        norms = cider_norms() if options["norms"] else None
        return BoundaryPredictor(everyone, data.scenarios, options["protocol"], norms), []
    model = open_model(
        gguf=options["gguf"],
        endpoint=options["endpoint"],
        name=options["model_name"],
        api_key_env=options["api_key_env"],
        context_tokens=options["context_tokens"],
        timeout_s=options["timeout_s"],
        threads=options["threads"],
    )
    prompted = PromptedPredictor(
        model,
        out / "answers.jsonl",
        data.scenarios,
        setup=options["setup"],
        version=options["version"],
        concurrency=options["concurrency"],
        max_tokens=options["max_tokens"],
        temperature=options["temperature"],
        seed=options["seed"],
        constrain=options["constrain"],
    )
    return prompted, [options["gguf"]] if options["gguf"] else []


def _resolved(options: dict[str, Any]) -> dict[str, Any]:
    """What decides the predictions."""
    common = ("predictor", "protocol", "limit")
    own = {
        "llm": ("setup", "version", "max_tokens", "temperature", "seed", "constrain"),
        "boundary": ("norms",),
    }
    return {name: options[name] for name in (*common, *own.get(options["predictor"], ()))}
