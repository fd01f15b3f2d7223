"""Every command and option has a help text and stands in `docs/evaluation.md`."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from limen_eval.commands import evaluate
from limen_eval.datasets.problems import ProblemKind

PAGE = Path(__file__).resolve().parents[2] / "docs" / "evaluation.md"
NAMES = evaluate.list_commands(click.Context(evaluate))


@pytest.mark.parametrize("name", NAMES)
def test_command_and_its_options_are_explained(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    command = evaluate.get_command(click.Context(evaluate), name)
    assert command is not None
    assert f"limen eval {name}" in page
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, option.name
            assert option.opts[0] in page, option.opts[0]


def test_every_kind_of_bad_data_is_explained() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"`{kind}`" in page for kind in ProblemKind)
