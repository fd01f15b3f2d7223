"""`limen profile show`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from limen_profiles.commands.caller import Caller, caller
from limen_profiles.commands.filters import filter_of, filter_options
from limen_profiles.control.operations import Nothing, Rules
from limen_profiles.records import DecisionOut, Page, PageRequest, Share, Summary
from limen_profiles.service import ProfileStatus

REJECTED_WORDS = "(not kept)"


@click.command()
@click.option("--page", default=1, show_default=True, type=click.IntRange(1), help="Page of the history.")
@click.option("--size", default=20, show_default=True, type=click.IntRange(1, 200), help="Decisions a page.")
@filter_options
@click.option("--summary", "what", flag_value="summary", help="How often you kept what.")
@click.option("--rules", "what", flag_value="rules", help="What you always allow or always block.")
@click.option("--status", "what", flag_value="status", help="Whether it is open, and where its key is.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(
    context: click.Context, /, page: int, size: int, what: str | None, as_json: bool, **filters: Any
) -> None:
    """Show what Limen remembers: the history, newest first, or one of the views below."""
    wanted = filter_of(filters)
    with caller(context) as ask:
        ask.open()
        if what == "status":
            status = ask.run("status", Nothing(), ProfileStatus)
            click.echo(status.model_dump_json() if as_json else _status_words(status))
        elif what == "summary":
            summary = ask.run("summary", wanted, Summary)
            click.echo(summary.model_dump_json() if as_json else _summary_words(summary))
        elif what == "rules":
            _show_rules(ask, as_json)
        else:
            request = PageRequest(**wanted.model_dump(), page=page, page_size=size)
            found = ask.run("page", request, Page)
            click.echo(found.model_dump_json() if as_json else _page_words(found, request))


def _show_rules(ask: Caller, as_json: bool) -> None:
    rules = ask.run("rules", Nothing(), Rules)
    if as_json:
        click.echo(rules.model_dump_json())
        return
    for rule in rules.items:
        click.echo(f"{rule.id:>6}  {rule.rule:<5}  {rule.scope:<8}  {rule.value}")
    click.echo(f"{len(rules.items)} rules.")


def _page_words(page: Page, request: PageRequest) -> str:
    pages = max(1, -(-page.total // request.page_size))
    lines = [_line(item) for item in page.items]
    return "\n".join([*lines, f"{page.total} decisions, page {request.page} of {pages}."])


def _line(item: DecisionOut) -> str:
    day = datetime.fromtimestamp(item.at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    cell = f"{item.granularity}/{item.identifiability}"
    phrase = item.phrase or REJECTED_WORDS
    return f"{item.id:>6}  {day}  {item.decision:<14}  {item.category:<13} {cell}  {item.site:<20}  {phrase}"


def _summary_words(summary: Summary) -> str:
    lines = [f"You let {summary.accepted} of {summary.total} through."]
    lines.append("By granularity and identifiability:")
    lines += [f"  {cell.granularity}/{cell.identifiability}  {_share(cell)}" for cell in summary.by_cell]
    for title, shares in (("By category:", summary.by_category), ("By site:", summary.by_site)):
        lines.append(title)
        lines += [f"  {one.name or '(none)':<20}  {_share(one)}" for one in shares]
    lines.append("By month:")
    lines += [f"  {one.month}  {_share(one)}" for one in summary.by_month]
    return "\n".join(lines)


def _share(share: Share) -> str:
    return f"{share.accepted} of {share.total}"


def _status_words(status: ProfileStatus) -> str:
    lines = [f"Profile: {status.mode}"]
    if status.holder:
        lines.append(f"Key: {status.holder.replace('_', ' ')}")
    if status.advice:
        lines.append(status.advice)
    return "\n".join(lines)
