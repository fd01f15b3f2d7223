"""Runs the tests that `docs/security-tests.md` names and prints a line for each row: `make security`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "security-tests.md"
_ROW = re.compile(r"\| (\d+) \| ([^|]+) \| ([^|]+) \|")
_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


class Row(NamedTuple):
    """A line of the table. `tests`: (file under tests/, function)."""

    number: int
    name: str
    tests: tuple[tuple[str, str], ...]


def rows(document: str) -> Iterator[Row]:
    """The rows above the heading "Open"."""
    for line in document.partition("## Open")[0].splitlines():
        if found := _ROW.fullmatch(line):
            yield Row(int(found[1]), found[2].strip(), tuple(_TEST.findall(found[3])))


def outcomes(report: Path) -> dict[tuple[str, str], Counter[str]]:
    """How often each test function passed, failed or was skipped, over its parameters."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        # importlib mode names modules by their path: tests.security.test_host
        file = case.get("classname", "").removeprefix("tests.").replace(".", "/") + ".py"
        name = case.get("name", "").partition("[")[0]
        kinds = {child.tag for child in case}
        kind = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found.setdefault((file, name), Counter())[kind] += 1
    return found


def main() -> int:
    table = list(rows(DOCUMENT.read_text(encoding="utf-8")))
    names = sorted({f"tests/{file}::{test}" for row in table for file, test in row.tests})
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *names, *sys.argv[1:]]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if not report.exists():
            return code
        results = outcomes(report)
    total: Counter[str] = Counter()
    for row in table:
        counts = sum((results.get(test, Counter({"missing": 1})) for test in row.tests), Counter[str]())
        state = next(kind for kind in ("missing", "failed", "passed", "skipped") if counts[kind])
        total[state] += 1
        detail = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        print(f"{row.number:>3}  {state:<8} {row.name}  ({detail})")
    print(", ".join(f"{count} {state}" for state, count in sorted(total.items())), f"of {len(table)}")
    return 1 if total["missing"] or total["failed"] else code


if __name__ == "__main__":
    sys.exit(main())
