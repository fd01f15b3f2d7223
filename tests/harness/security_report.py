"""Runs the tests that `docs/security-tests.md` names and prints a line for each row: `make security`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "security-tests.md"
_ROW = re.compile(r"\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|")
_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


Test = tuple[str, str]


class Row(NamedTuple):
    """A line of the table. `tests` and `controls`: (file under tests/, function)."""

    number: int
    name: str
    tests: tuple[Test, ...]
    controls: tuple[Test, ...]


def rows(document: str) -> Iterator[Row]:
    """The rows above the heading "Open"."""
    for line in document.partition("## Open")[0].splitlines():
        if found := _ROW.fullmatch(line):
            tests, controls = (tuple(_TEST.findall(column)) for column in found.group(3, 4))
            yield Row(int(found[1]), found[2].strip(), tests, controls)


def outcomes(report: Path) -> dict[Test, Counter[str]]:
    """How often each test function passed, failed or was skipped, over its parameters."""
    found: dict[Test, Counter[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        # importlib mode names modules by their path: tests.security.test_host
        file = case.get("classname", "").removeprefix("tests.").replace(".", "/") + ".py"
        name = case.get("name", "").partition("[")[0]
        kinds = {child.tag for child in case}
        kind = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found.setdefault((file, name), Counter())[kind] += 1
    return found


def state(tests: Sequence[Test], results: Mapping[Test, Counter[str]]) -> tuple[str, str]:
    """The worst of what came of `tests` in a word, and the counts."""
    counts = sum((results.get(test, Counter({"missing": 1})) for test in tests), Counter[str]())
    worst = next(kind for kind in ("missing", "failed", "passed", "skipped") if counts[kind])
    return worst, ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))


def main() -> int:
    table = list(rows(DOCUMENT.read_text(encoding="utf-8")))
    names = sorted({f"tests/{file}::{test}" for row in table for file, test in (*row.tests, *row.controls)})
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rs",
            f"--junit-xml={report}",
            *names,
            *sys.argv[1:],
        ]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if not report.exists():
            return code
        results = outcomes(report)
    attacks: Counter[str] = Counter()
    controls: Counter[str] = Counter()
    print(f"{'#':>3}  {'attack':<8} {'control':<10} name")
    for row in table:
        attack, of_attack = state(row.tests, results)
        control, of_control = state(row.controls, results)
        attacks[shown := "blocked" if attack == "passed" else attack] += 1
        controls[shown_control := "succeeded" if control == "passed" else control] += 1
        details = f"({of_attack}; control: {of_control})"
        print(f"{row.number:>3}  {shown:<8} {shown_control:<10} {row.name}  {details}")
    for what, counts in (("attacks", attacks), ("controls", controls)):
        print(f"{what}:", ", ".join(f"{count} {kind}" for kind, count in counts.items()), f"of {len(table)}")
    bad = sum(counts[kind] for counts in (attacks, controls) for kind in ("missing", "failed"))
    return 1 if bad else code


if __name__ == "__main__":
    sys.exit(main())
