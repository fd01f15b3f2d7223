"""Options that several subcommands share, and what they turn into."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from limen_eval.datasets.problems import ProblemKind, ProblemPolicy
from limen_eval.records.atomic import write_atomic
from limen_eval.records.gates import Gate
from limen_eval.records.manifest import now

Command = TypeVar("Command", bound=Callable[..., Any])


def parse_gates(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[Gate, ...]:
    """The gates of `--require`; a malformed one is a usage error (exit code 2)."""
    try:
        return tuple(Gate.parse(text) for text in value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def run_options(command: Command) -> Command:
    """Where the run goes and what comes out of it."""
    for option in reversed(
        [
            click.option(
                "--out",
                type=click.Path(path_type=Path, file_okay=False),
                help="Run folder; default: a new one under runs/.",
            ),
            click.option("--overwrite", is_flag=True, help="Replace the run that is in --out."),
            click.option(
                "--resume", is_flag=True, help="Continue the unfinished run in --out; nothing is asked twice."
            ),
            click.option(
                "--json",
                "json_out",
                metavar="FILE",
                help="Write the result as JSON; - prints it instead of tables.",
            ),
            click.option(
                "--require",
                "gates",
                callback=parse_gates,
                multiple=True,
                metavar="NAME>=X",
                help="Exit with 3 unless the result meets this, e.g. phrase.f1>=0.78. Repeatable.",
            ),
            click.option(
                "--report", is_flag=True, help="Also write plots (PNG, SVG) and a single-file HTML report."
            ),
        ]
    ):
        command = option(command)
    return command


def data_options(command: Command) -> Command:
    """Which data, and how strict about bad records."""
    for option in reversed(
        [
            click.option(
                "--data",
                metavar="PATH|hub:NAME",
                help="File, folder or hub data set; default: LIMEN_DATA, else the hub's cache.",
            ),
            click.option(
                "--skip-bad",
                multiple=True,
                type=click.Choice([*(kind.value for kind in ProblemKind), "all"]),
                help="Leave out bad records of this kind instead of refusing the data. Repeatable.",
            ),
        ]
    ):
        command = option(command)
    return command


def model_options(command: Command) -> Command:
    """A language model: a GGUF file, or an endpoint."""
    for option in reversed(
        [
            click.option(
                "--gguf",
                type=click.Path(path_type=Path, dir_okay=False),
                help="GGUF file to run, without network, in a process of its own.",
            ),
            click.option(
                "--endpoint", metavar="URL", help="OpenAI-compatible server, e.g. http://127.0.0.1:8080/v1."
            ),
            click.option("--model", "model_name", help="Model name to ask the endpoint for."),
            click.option(
                "--api-key-env",
                default="OPENAI_API_KEY",
                show_default=True,
                help="Environment variable with the endpoint's key.",
            ),
            click.option(
                "--concurrency",
                type=click.IntRange(1, 1024),
                default=8,
                show_default=True,
                help="Requests at a time.",
            ),
            click.option(
                "--max-tokens", type=click.IntRange(1), default=512, show_default=True, help="Longest answer."
            ),
            click.option(
                "--temperature",
                type=click.FloatRange(0, 2),
                default=0.0,
                show_default=True,
                help="0: always the likeliest word.",
            ),
            click.option(
                "--constrain",
                is_flag=True,
                help="Hold the model to the answer's JSON schema (not what the papers did).",
            ),
            click.option(
                "--context-tokens",
                type=click.IntRange(256),
                default=8192,
                show_default=True,
                help="Context of a GGUF model.",
            ),
            click.option(
                "--timeout-s",
                type=click.FloatRange(1),
                default=300.0,
                show_default=True,
                help="Longest wait for one answer.",
            ),
        ]
    ):
        command = option(command)
    return command


def policy_of(skip_bad: tuple[str, ...]) -> ProblemPolicy:
    """`--skip-bad` as a policy."""
    kinds = set(ProblemKind) if "all" in skip_bad else {ProblemKind(kind) for kind in skip_bad}
    return ProblemPolicy(skipped=kinds)


def given_options(ctx: click.Context) -> dict[str, Any]:
    """The options that were typed or came from the environment, as strings."""
    typed = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.ENVIRONMENT)
    return {
        name: [str(v) for v in value] if isinstance(value, tuple) else str(value)
        for name, value in ctx.params.items()
        if ctx.get_parameter_source(name) in typed
    }


def out_folder(out: Path | None, name: str) -> Path:
    """`--out`, or a new folder named after what runs and when."""
    return out or Path("runs") / f"{now().replace(':', '').replace('+0000', 'Z')}-{name}"


def show(result: Mapping[str, Any], text: str, json_out: str | None) -> None:
    """Print the result: JSON with `--json -`, else tables; `--json FILE` writes both."""
    encoded = json.dumps(result, ensure_ascii=False)
    if json_out == "-":
        click.echo(encoded)
        return
    if json_out is not None:
        write_atomic(Path(json_out), encoded + "\n")
    click.echo(text)


def say(message: str) -> None:
    """Talk to the user: on stderr, so that stdout holds only the result."""
    print(message, file=sys.stderr)
