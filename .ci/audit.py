"""Asks the advisory services about every locked package: `make audit`.

Ends with 0 when all were looked up and no fault is known, with 1 when one is, with 3 when a service did not
answer. pip-audit itself ends with 0 when its service knows none of the packages: what was not looked up is
counted here, and said.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = (".ci/requirements.lock", ".ci/tools.lock")
SERVICES = ("pypi", "osv")
PATIENCE_S = 300


def output(command: Sequence[str], folder: Path) -> Any:
    """What `command` printed as JSON; None when it printed none."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        return json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def python_verdict(report: Any) -> tuple[int, list[str], int]:
    """From pip-audit's report: packages looked up, their known faults, packages not looked up."""
    packages = report["dependencies"] if isinstance(report, dict) else []
    looked_up = [package for package in packages if "skip_reason" not in package]
    faults = [
        f"{package['name']} {package['version']}: {fault['id']}, fixed in {fault['fix_versions'] or 'none'}"
        for package in looked_up
        for fault in package["vulns"]
    ]
    return len(looked_up), faults, len(packages) - len(looked_up)


def node_verdict(report: Any) -> tuple[bool, list[str]]:
    """From npm's report: whether the registry answered, and the known faults."""
    if not isinstance(report, dict) or "vulnerabilities" not in report:
        return False, []
    return True, [f"{name}: {found['severity']}" for name, found in report["vulnerabilities"].items()]


def main() -> int:
    faults: list[str] = []
    is_whole = True
    for lock in LOCKS:
        for service in SERVICES:
            command = [sys.executable, "-m", "pip_audit", "-r", lock, "--require-hashes", "--disable-pip"]
            command += ["-f", "json", "-s", service, "--progress-spinner", "off"]
            looked_up, found, missed = python_verdict(output(command, ROOT))
            if looked_up:
                print(f"{lock}: {looked_up} packages audited ({service}), {missed} not, {len(found)} faults")
                break
        else:
            missed = 1
            print(f"{lock}: NOT AUDITED: no network, or the advisory services do not answer")
        is_whole = is_whole and not missed
        faults += found
    answered, found = node_verdict(output(["npm", "audit", "--json"], ROOT / "extension"))
    print(
        f"extension/package-lock.json: audited (npm), {len(found)} faults"
        if answered
        else "extension/package-lock.json: NOT AUDITED: no network, or the registry does not answer"
    )
    faults += found
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0 if is_whole and answered else 3


if __name__ == "__main__":
    sys.exit(main())
