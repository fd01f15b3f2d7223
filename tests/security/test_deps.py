"""The supply chain: every package pinned with hashes, none below the floor that its known faults set."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

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
BASE_LOCK = (ROOT / ".ci" / "base.lock").read_text(encoding="utf-8")
BUILD_LOCK = (ROOT / ".ci" / "build.lock").read_text(encoding="utf-8")
GGUF_LOCK = (ROOT / ".ci" / "gguf.lock").read_text(encoding="utf-8")
GGUF_BUILD_LOCK = (ROOT / ".ci" / "gguf-build.lock").read_text(encoding="utf-8")
TOOLS_LOCK = (ROOT / ".ci" / "tools.lock").read_text(encoding="utf-8")
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


@pytest.mark.parametrize("requirement", BASE, ids=lambda requirement: requirement.name)
def test_the_base_install_is_locked_as_it_is_tested(requirement: Requirement) -> None:
    """What users install from `base.lock` is what the tests ran with."""
    assert pins(BASE_LOCK)[canonicalize_name(requirement.name)]
    tested = pins(LOCK)
    assert {name: tested.get(name) for name in pins(BASE_LOCK)} == pins(BASE_LOCK)


def test_what_builds_limen_is_locked() -> None:
    """Else an installation by hash would still fetch its build tool without one."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    for requirement in map(Requirement, build):
        locked = pins(BUILD_LOCK)[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in locked)


def test_what_the_tests_of_gguf_models_need_is_locked_and_what_builds_it() -> None:
    """`make gguf` compiles one package: its source and its build tools are checked by their hashes too."""
    locked = pins(GGUF_LOCK)
    for requirement in map(Requirement, PROJECT["optional-dependencies"]["gguf"]):
        assert all(v in requirement.specifier for v in locked[canonicalize_name(requirement.name)])
    assert {"scikit-build-core", "cmake", "ninja"} <= pins(GGUF_BUILD_LOCK).keys()
    both = pins(LOCK)
    for lock in (locked, pins(GGUF_BUILD_LOCK)):
        assert all(both[name] == lock[name] for name in both.keys() & lock.keys())


def test_the_lock_of_gguf_holds_what_llama_cpp_python_imports() -> None:
    """It is installed without resolving dependencies, so what is left out would be found out by an import."""
    if importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("llama-cpp-python (extra gguf) is not installed")
    needed = [Requirement(line) for line in metadata.requires("llama-cpp-python") or ()]
    locked = pins(LOCK) | pins(GGUF_LOCK)
    for requirement in needed:
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            assert all(v in requirement.specifier for v in locked[canonicalize_name(requirement.name)])


def test_the_tools_are_locked() -> None:
    assert {"cyclonedx-bom", "pip-audit"} <= pins(TOOLS_LOCK).keys()


def _audit() -> Any:
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CLEAN = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
FAULTY = {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}]}
UNKNOWN = {"dependencies": [{"name": "a", "skip_reason": "not found"}]}
NPM_CLEAN: dict[str, Any] = {"vulnerabilities": {}}
NPM_FAULTY = {"vulnerabilities": {"a": {"severity": "high"}}}
NPM_REFUSED = {"message": "405 Method Not Allowed", "error": {}}


@pytest.mark.parametrize(
    ("python", "npm", "code", "words"),
    [
        (CLEAN, NPM_CLEAN, 0, "1 packages audited"),
        (FAULTY, NPM_CLEAN, 1, "a 1: CVE-1, fixed in ['2']"),
        (CLEAN, NPM_FAULTY, 1, "a: high"),
        (UNKNOWN, NPM_CLEAN, 3, "NOT AUDITED"),
        (None, NPM_CLEAN, 3, "NOT AUDITED"),
        (CLEAN, NPM_REFUSED, 3, "NOT AUDITED"),
        (CLEAN, None, 3, "NOT AUDITED"),
    ],
    ids=["clean", "faulty", "faulty npm", "none known", "no answer", "npm refuses", "npm silent"],
)
def test_an_audit_that_looked_nothing_up_is_never_green(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    python: Any,
    npm: Any,
    code: int,
    words: str,
) -> None:
    """pip-audit says "no known vulnerabilities" as well when its service knew none of the packages."""
    audit = _audit()
    monkeypatch.setattr(audit, "output", lambda command, folder: npm if command[0] == "npm" else python)
    assert audit.main() == code
    assert words in capsys.readouterr().out


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
