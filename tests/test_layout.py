"""The packages depend on each other in one direction only, and the layout stays as it is documented."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "limen_daemon": ROOT / "daemon" / "limen_daemon",
    "limen_profiles": ROOT / "profiles" / "limen_profiles",
    "limen_quantize": ROOT / "quantize" / "limen_quantize",
    "limen_eval": ROOT / "eval" / "limen_eval",
}
MAY_IMPORT = {
    "limen_profiles": {"limen_profiles"},
    "limen_daemon": {"limen_daemon", "limen_profiles"},
    "limen_quantize": {"limen_quantize", "limen_daemon", "limen_profiles"},
    "limen_eval": {"limen_eval", "limen_daemon", "limen_profiles"},
}
HEAVY = {"torch", "transformers", "optimum", "datasets", "llama_cpp", "matplotlib", "scipy"}
# The only files of the base install that may name an optional package, inside the function that needs it.
HEAVY_ADAPTERS = {
    "daemon/limen_daemon/detector/generative/llama.py",
    "daemon/limen_daemon/detector/generative/worker.py",
    "profiles/limen_profiles/boundary/tuning.py",
}


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_package_imports_only_what_lies_below_it(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in PACKAGES[package].rglob("*.py")
        for name in _imports(path)
        if name in PACKAGES and name not in MAY_IMPORT[package]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["limen_daemon", "limen_profiles"])
def test_the_base_install_needs_no_training_or_plotting_library(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in PACKAGES[package].rglob("*.py")
        for name in _imports(path)
        if name in HEAVY and path.relative_to(ROOT).as_posix() not in HEAVY_ADAPTERS
    ]
    assert wrong == []


def test_the_base_dependencies_hold_no_torch_and_no_compiler_step() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {dependency.split(">")[0].split("=")[0].strip() for dependency in project["dependencies"]}
    assert names.isdisjoint({"torch", "transformers", "optimum", "llama-cpp-python"})


def test_every_subcommand_of_the_console_command_can_be_loaded() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "limen_daemon", "--help"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    for name in ("check", "eval", "models", "pair", "profile", "quantize", "unpair", "up"):
        assert f"  {name}" in result.stdout


def test_optional_packages_are_imported_only_when_they_are_needed() -> None:
    code = (
        "import sys, limen_daemon.detector, limen_daemon.app, limen_profiles; print(*sys.modules, sep='\\n')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(result.stdout.split())
