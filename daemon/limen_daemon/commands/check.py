"""`limen check`: which phrases of a text give something away. Needs no daemon."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from limen_daemon.commands.report import json_report, plain_report
from limen_daemon.commands.textinput import MAX_BYTES, decode
from limen_daemon.detector import Detection, Detector, load_detector
from limen_daemon.errors import InputError, ModelMissing

_SLOW_CHARACTERS = 100_000

_EPILOG = """\b
Examples:
  limen check "my 3 year old repeats syllables twice and I'm worried"
  limen check --file letter.txt
  git diff | limen check --json --fail-on-leak
"""


@click.command(epilog=_EPILOG)
@click.argument("text", required=False)
@click.option(
    "--file",
    "-f",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read the text from this file.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object; offsets count Unicode code points."
)
@click.option("--fail-on-leak", is_flag=True, help="End with status 1 when something was found.")
@click.option(
    "--patterns-only", is_flag=True, help="Use no model: only identifiers, keys and passwords are found."
)
@click.option("--hide-others", is_flag=True, help="Leave out someone else's details.")
@click.option("--model", "name", help="Use this model (see `limen models list`) instead of the chosen one.")
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True)
@click.pass_context
def check(
    ctx: click.Context,
    text: str | None,
    path: Path | None,
    as_json: bool,
    fail_on_leak: bool,
    patterns_only: bool,
    hide_others: bool,
    name: str | None,
    device: str,
    threads: int,
) -> None:
    """Show which phrases of TEXT (or of --file, or of standard input) disclose something about you.

    Up to 1 MiB of UTF-8 (or UTF-16 with a byte order mark). The text stays on this computer.
    """
    content = _content(text, path)
    if not content.strip():
        click.echo(json_report(None, []) if as_json else "Nothing to check: the text is empty.")
        return
    detector, problem = _detector(name, patterns_only, device, threads)
    try:
        if len(content) > _SLOW_CHARACTERS and detector.info.format != "patterns":
            click.echo(
                f"limen: checking {len(content):,} characters; this can take a minute or more", err=True
            )
        detection = detector.detect(content)
    finally:
        detector.close()
    findings = [item for item in detection.findings if not (hide_others and item.tier == "others")]
    if as_json:
        click.echo(json_report(detection, findings, detector.info, problem))
    else:
        click.echo(plain_report(content, findings, color=_color()), color=_color())
        click.echo(_checked_by(detection, detector, problem))
    if fail_on_leak and findings:
        ctx.exit(1)


def _content(text: str | None, path: Path | None) -> str:
    if text is not None and path is not None:
        raise click.UsageError("Give the text or --file, not both.")
    if text is not None:
        return decode(text.encode("utf-8", "surrogateescape"), "the argument")
    if path is not None and str(path) != "-":
        try:
            with path.open("rb") as file:
                return decode(file.read(MAX_BYTES + 1), "the file")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError(f"{path} cannot be read ({reason}). Give the path of a text file.") from None
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError(
            'Give a text, --file or standard input. Example: limen check "I live in Leeds"'
        )
    return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")


def _detector(
    name: str | None, patterns_only: bool, device: str, threads: int
) -> tuple[Detector, str | None]:
    if patterns_only:
        return load_detector("patterns"), None
    try:
        return load_detector(name, device=device, threads=threads), None
    except ModelMissing as error:
        if name is not None:
            raise
        return load_detector("patterns"), str(error)


def _color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _checked_by(detection: Detection, detector: Detector, problem: str | None) -> str:
    if detection.checked_by == "model":
        return f"Checked by {detector.info.id} on {detector.info.device}."
    note = "Checked with patterns only: identifiers, keys and passwords are found, other disclosures are not."
    return f"{note}\n{problem}" if problem else note
