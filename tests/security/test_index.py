from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.security_report import DOCUMENT, Row, rows

TESTS = Path(__file__).resolve().parents[1]
TABLE = list(rows(DOCUMENT.read_text(encoding="utf-8")))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_test_of_the_table_exists(row: Row) -> None:
    assert row.tests
    assert row.controls, "nothing shows that the attack would succeed"
    for file, name in (*row.tests, *row.controls):
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        functions = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert name in functions, f"{file}::{name}"


def test_every_line_of_the_table_is_there_or_named_as_open() -> None:
    numbers = [row.number for row in TABLE]
    assert numbers == sorted(set(numbers))
    is_open = DOCUMENT.read_text(encoding="utf-8").partition("## Open")[2]
    for number in set(range(1, 73)) - set(numbers):
        assert f"| {number} |" in is_open, number
