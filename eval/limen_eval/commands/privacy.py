"""`limen eval privacy`: the three levels of Zeng et al. 2025 for a detector, a language model or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

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
from limen_eval.datasets.annotated import AnnotatedQuery, read_annotated
from limen_eval.datasets.location import privacy_files
from limen_eval.errors import EvalError
from limen_eval.llm.opening import open_model
from limen_eval.metrics.rouge import Flavour
from limen_eval.privacy import run
from limen_eval.privacy.methods import EncoderMethod, FileMethod, Method
from limen_eval.privacy.prompted import Levels, PromptedMethod, choose_examples
from limen_eval.privacy.scores import QueryBy
from limen_eval.privacy.summary import summary_text
from limen_eval.records.folder import RunFolder
from limen_eval.records.gates import check_gates
from limen_eval.records.manifest import Manifest
from limen_eval.records.provenance import file_hashes
from limen_eval.report.page import write_report

METHODS = ("encoder", "sft", "zero-shot", "icl", "file")


@click.command()
@data_options
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="encoder",
    show_default=True,
    help="What is scored: our detector, a prompted model, or a file.",
)
@click.option(
    "--language",
    type=click.Choice(["auto", "en", "zh"]),
    default="auto",
    show_default=True,
    help="auto: each file's majority, or each query's in a bilingual file.",
)
@click.option("--split", default="test", show_default=True, help="Split of a hub data set.")
@click.option("--limit", type=click.IntRange(1), help="Only the first N queries.")
@click.option(
    "--rouge",
    type=click.Choice(get_args(Flavour)),
    default="rouge-score",
    show_default=True,
    help="published: agrees with the published scripts to four decimals.",
)
@click.option(
    "--query-by",
    type=click.Choice(get_args(QueryBy)),
    default="phrases",
    show_default=True,
    help="A query leaks if a phrase is found, or if the leak score is 0.5 or more.",
)
@click.option("--detector", "detector_name", help="Detector for --method encoder; default: the shipped one.")
@click.option("--device", default="auto", show_default=True, help="Where the encoder runs: auto, cpu, cuda.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of the model.")
@click.option(
    "--patterns/--no-patterns",
    default=True,
    show_default=True,
    help="With the recognizers of identifiers, as the product runs.",
)
@click.option(
    "--context/--no-context",
    "with_context",
    default=False,
    show_default=True,
    help="Give the encoder the assistant's turn before.",
)
@click.option(
    "--predictions",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Predictions for --method file.",
)
@click.option("--examples", metavar="PATH|hub:NAME", help="Training data for --method icl.")
@click.option(
    "--levels",
    type=click.Choice(get_args(Levels)),
    default="joint",
    show_default=True,
    help="separate: one question per level, as published.",
)
@click.option(
    "--seed", type=int, default=42, show_default=True, help="Seed of the examples and of the model."
)
@model_options
@run_options
@click.pass_context
def privacy(ctx: click.Context, /, **options: Any) -> None:
    """Score leak detection, phrases and information on annotated queries."""
    policy = policy_of(options["skip_bad"])
    language = None if options["language"] == "auto" else options["language"]
    files = privacy_files(options["data"], language=language, split=options["split"])
    queries = read_annotated(files, language=language, policy=policy)[: options["limit"]]
    out = out_folder(options["out"], f"privacy-{options['method']}")
    method, extra_files = _method(options, queries, out)
    manifest = Manifest(
        kind="privacy",
        given=given_options(ctx),
        resolved=_resolved(options, queries, method),
        seeds={"seed": options["seed"], "bootstrap": 42},
        files=file_hashes([*files, *extra_files]),
        detector=method.describe(),
        skipped=policy.counts(),
    )
    folder = RunFolder.start(out, manifest, overwrite=options["overwrite"], resume=options["resume"])
    for kind, count in policy.counts().items():
        say(f"left out: {count} records ({kind})")

    async def work() -> None:
        try:
            await run.predict(folder, queries, method)
        finally:
            await method.close()

    run_to_end(folder, work())
    scores = run.finish(folder, rouge=options["rouge"], query_by=options["query_by"])
    if options["report"]:
        write_report([folder])
    say(f"run: {folder.path}")
    result = folder.manifest.result or {}
    show(result, summary_text(scores), options["json_out"])
    check_gates(options["gates"], result)


def _method(options: dict[str, Any], queries: list[AnnotatedQuery], out: Path) -> tuple[Method, list[Path]]:
    """The method, and the files beside the data that decide its numbers."""
    name = options["method"]
    if name == "encoder":
        from limen_daemon.detector import load_detector  # Here, so that --help loads no runtime.

        detector = load_detector(
            options["detector_name"],
            device=options["device"],
            threads=options["threads"],
            patterns=options["patterns"],
        )
        return EncoderMethod(detector, with_context=options["with_context"]), _model_files(options)
    if name == "file":
        if options["predictions"] is None:
            raise EvalError("--method file needs --predictions FILE")
        return FileMethod(options["predictions"]), [options["predictions"]]
    examples = None
    example_files: list[Path] = []
    if name == "icl":
        if options["examples"] is None:
            raise EvalError("--method icl needs --examples with annotated training queries")
        example_files = privacy_files(options["examples"], language=None, split="train")
        training = read_annotated(example_files, language=None, policy=policy_of(options["skip_bad"]))
        examples = choose_examples(training, queries, seed=options["seed"])
    model = open_model(
        gguf=options["gguf"],
        endpoint=options["endpoint"],
        name=options["model_name"],
        api_key_env=options["api_key_env"],
        context_tokens=options["context_tokens"],
        timeout_s=options["timeout_s"],
        threads=options["threads"],
    )
    method = PromptedMethod(
        model,
        out / "answers.jsonl",
        style=name,
        levels=options["levels"],
        examples=examples,
        concurrency=options["concurrency"],
        max_tokens=options["max_tokens"],
        temperature=options["temperature"],
        seed=options["seed"],
        constrain=options["constrain"],
    )
    return method, [*example_files, *([options["gguf"]] if options["gguf"] else [])]


def _model_files(options: dict[str, Any]) -> list[Path]:
    """The files of the encoder's model; none where only the recognizers run."""
    from limen_daemon.models.registry import PATTERNS, current_model, find_model

    name = options["detector_name"] or current_model()
    folder = None if name == PATTERNS else find_model(name).folder
    return sorted(p for p in folder.rglob("*") if p.is_file()) if folder else []


def _resolved(options: dict[str, Any], queries: list[AnnotatedQuery], method: Method) -> dict[str, Any]:
    """What decides the predictions; scoring options are not among them and may change on resuming."""
    common = ("method", "language", "limit", "seed")
    own = {
        "encoder": ("patterns", "with_context", "threads"),
        "file": (),
    }.get(options["method"], ("levels", "max_tokens", "temperature", "constrain"))
    return {
        **{name: options[name] for name in (*common, *own)},
        "n_queries": len(queries),
        "detector": method.describe(),
    }
