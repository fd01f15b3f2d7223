"""The supply chain: every package pinned with hashes, none below the floor that its known faults set."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = [Requirement(line) for line in PROJECT["dependencies"]]
TEST = [
    requirement
    for line in [*PROJECT["optional-dependencies"]["test"], *PROJECT["optional-dependencies"]["eval"]]
    if canonicalize_name((requirement := Requirement(line)).name) != "limen"
]
LOCK = (ROOT / ".ci" / "requirements.lock").read_text(encoding="utf-8")
FLOORS = {
    "aiohttp": Version("3.14.3"),  # CVE-2026-69243, CVE-2026-69244: request smuggling
    "sqlcipher3": Version("0.6.4"),  # SQLCipher 4 with its own OpenSSL
}
_PINNED = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}(?:\s|$)")


def pins(lock: str) -> dict[str, set[Version]]:
    """The pinned versions of each package (more than one where platforms differ).

    Raises: `ValueError` for an entry that is not pinned or has no hash.
    """
    found: dict[str, set[Version]] = {}
    text = "\n".join(line for line in lock.splitlines() if not line.lstrip().startswith("#"))
    for entry in filter(None, (part.strip() for part in re.split(r"\n(?=\S)", text))):
        pinned = _PINNED.match(entry)
        if pinned is None or not _HASH.search(entry):
            raise ValueError(f"not pinned with a hash: {entry.split()[0]}")
        found.setdefault(canonicalize_name(pinned[1]), set()).add(Version(pinned[2]))
    return found


@pytest.mark.parametrize("requirement", [*BASE, *TEST], ids=lambda requirement: requirement.name)
def test_deps(requirement: Requirement) -> None:
    versions = pins(LOCK)[canonicalize_name(requirement.name)]
    assert all(requirement.specifier.contains(version, prereleases=True) for version in versions)


@pytest.mark.parametrize(
    "entry",
    [
        "aiohttp>=3.14.3 \\\n    --hash=sha256:" + "0" * 64,
        "aiohttp==3.14.5",
        "aiohttp==3.14.5 \\\n    --hash=md5:" + "0" * 32,
        "aiohttp @ https://evil.test/aiohttp.whl",
    ],
)
def test_deps_control(entry: str) -> None:
    """The control: an entry that is not pinned, or has no hash, is found."""
    with pytest.raises(ValueError, match="aiohttp"):
        pins(LOCK + "\n" + entry + "\n")


@pytest.mark.parametrize("name", FLOORS)
def test_floors(name: str) -> None:
    """The floor holds in the lock, in what is installed, and in what the project asks for."""
    floor = FLOORS[name]
    below = Version(f"{floor.major}.{floor.minor}.{floor.micro - 1}")
    assert all(version >= floor for version in pins(LOCK)[name])
    assert Version(metadata.version(name)) >= floor
    (asked,) = [requirement for requirement in BASE if requirement.name == name]
    assert not asked.specifier.contains(below)


def test_no_package_is_fetched_while_limen_runs() -> None:
    """Nothing in the packages starts pip or adds to the import path."""
    for package in ("daemon", "profiles"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(
                r"ensurepip|import pip\b|\"-m\", \"pip\"|sys\.path\.(append|insert)", text
            ), path
