"""`limen profile allow`, `block` and `unlist`."""

from __future__ import annotations

from typing import get_args

import click

from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import Nothing, RuleRequest
from limen_profiles.records import RuleIn, RuleKind, RuleOut, Scope


def _add(context: click.Context, rule: RuleKind, scope: Scope, value: str) -> None:
    with caller(context) as ask:
        ask.open()
        added = ask.run("add_rule", RuleIn(rule=rule, scope=scope, value=value), RuleOut)
    click.echo(f"Rule {added.id}: {rule} {scope} {added.value}")


@click.command()
@click.argument("scope", type=click.Choice(get_args(Scope)))
@click.argument("value")
@click.pass_context
def allow(context: click.Context, scope: Scope, value: str) -> None:
    """Never mark this value, category or site."""
    _add(context, "allow", scope, value)


@click.command()
@click.argument("scope", type=click.Choice(get_args(Scope)))
@click.argument("value")
@click.pass_context
def block(context: click.Context, scope: Scope, value: str) -> None:
    """Always mark this value, category or site strongly. Of a value only a keyed hash is kept."""
    _add(context, "block", scope, value)


@click.command()
@click.argument("id", type=click.IntRange(1))
@click.pass_context
def unlist(context: click.Context, id: int) -> None:
    """Remove the rule with this ID (`limen profile show --rules` lists them)."""
    with caller(context) as ask:
        ask.open()
        ask.run("remove_rule", RuleRequest(id=id), Nothing)
    click.echo(f"Rule {id} was removed.")
