"""`limen models`: list, verify, use, add."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from limen_daemon.cli import LazyGroup
from limen_daemon.models.folders import shipped_folder, user_models_folder

LIMEN = LazyGroup(
    "limen",
    commands={"models": "limen_daemon.commands.models:models", "check": "limen_daemon.commands.check:check"},
    help="",
)


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(LIMEN, list(arguments), prog_name="limen")


def copy_of_the_shipped_model(tmp_path: Path, name: str) -> tuple[Path, str]:
    folder = tmp_path / name
    shutil.copytree(shipped_folder() / "limen-e5-small", folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["name"] = name
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder, hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()


def test_the_list_marks_the_model_in_use() -> None:
    lines = run("models", "list").stdout.splitlines()
    assert lines[0].startswith("* limen-e5-small")
    assert "onnx" in lines[0]
    assert lines[-1].startswith("  patterns")


def test_the_shipped_model_is_whole() -> None:
    result = run("models", "verify")
    assert (result.exit_code, result.stdout) == (0, "limen-e5-small: whole\n")


def test_an_added_model_can_be_used_and_checks_texts(tmp_path: Path) -> None:
    folder, trusted = copy_of_the_shipped_model(tmp_path, "my-model")
    added = run("models", "add", str(folder), "--i-trust-this", trusted)
    assert (added.exit_code, "limen models use my-model" in added.stdout) == (0, True)
    assert run("models", "use", "my-model").exit_code == 0
    assert "* my-model" in run("models", "list").stdout
    assert "Checked by my-model-" in run("check", "I have asthma").stdout


def test_add_needs_the_hash() -> None:
    assert run("models", "add", ".").exit_code == 2
    wrong = run("models", "add", ".", "--i-trust-this", "0" * 64)
    assert wrong.exit_code == 1


def test_using_patterns_switches_the_model_off() -> None:
    assert run("models", "use", "patterns").exit_code == 0
    assert "patterns only" in run("check", "I have asthma").stdout


def test_a_damaged_model_is_neither_verified_nor_used_nor_loaded(tmp_path: Path) -> None:
    folder, trusted = copy_of_the_shipped_model(tmp_path, "my-model")
    run("models", "add", str(folder), "--i-trust-this", trusted)
    run("models", "use", "my-model")
    weights = user_models_folder() / "my-model" / "model.onnx"
    content = bytearray(weights.read_bytes())
    content[len(content) // 2] ^= 1
    weights.write_bytes(bytes(content))
    verified = run("models", "verify", "my-model")
    assert verified.exit_code == 1
    assert "model.onnx is not the file that the manifest describes" in verified.stdout
    assert run("models", "use", "my-model").exit_code == 1
    checked = run("check", "I have asthma")
    assert checked.exit_code == 1
    assert "damaged" in checked.stderr
    assert "Nothing found" not in checked.output


def test_an_unknown_name_is_one_sentence() -> None:
    result = run("models", "use", "no-such-model")
    assert (result.exit_code, "limen models list" in result.stderr) == (1, True)


@pytest.mark.parametrize("command", ["list", "verify", "use", "add", "pull"])
def test_each_command_has_an_example(command: str) -> None:
    assert f"limen models {command}" in run("models", command, "--help").stdout
