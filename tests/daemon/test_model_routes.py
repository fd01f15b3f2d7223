"""The settings page sees which detectors there are and chooses one; it can bring none in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.daemon import RunningDaemon, running
from limen_daemon.models.folders import DEFAULT_MODEL, make_user_models_folder, shipped_folder
from limen_daemon.models.selection import selected_model
from limen_daemon.routes import ROUTES

LIST, USE = "/v1/models/list", "/v1/models/use"


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def add_copy(name: str) -> Path:
    """A second model in the user's folder: the shipped one under another name."""
    folder = make_user_models_folder() / name
    shutil.copytree(shipped_folder() / DEFAULT_MODEL, folder)
    return folder


async def test_the_list_tells_size_format_languages_and_the_chosen_one(daemon: RunningDaemon) -> None:
    body = (await daemon.post(LIST, {})).json()
    shipped, patterns = body["models"]
    folder = shipped_folder() / DEFAULT_MODEL
    files = [path for path in folder.iterdir() if path.suffix in {".onnx", ".json"}]
    largest = max(path.stat().st_size for path in files)
    assert largest <= shipped["bytes"] <= sum(path.stat().st_size for path in files)
    assert {key: shipped[key] for key in ("name", "format", "languages", "origin", "is_usable")} == {
        "name": DEFAULT_MODEL,
        "format": "onnx",
        "languages": ["en", "zh"],
        "origin": "shipped",
        "is_usable": True,
    }
    assert (patterns["name"], patterns["bytes"]) == ("patterns", 0)
    assert (body["chosen"], body["is_fixed"]) == (DEFAULT_MODEL, False)


async def test_choosing_is_remembered_and_answered_with_the_new_list(daemon: RunningDaemon) -> None:
    add_copy("another")
    body = (await daemon.post(USE, {"name": "another"})).json()
    assert body["chosen"] == "another"
    assert [model["origin"] for model in body["models"]] == ["shipped", "added", "shipped"]
    assert selected_model() == "another"
    assert (await daemon.post(USE, {"name": "patterns"})).json()["chosen"] == "patterns"


async def test_a_model_that_is_not_here_is_refused_and_nothing_changes(daemon: RunningDaemon) -> None:
    answer = await daemon.post(USE, {"name": "missing"})
    assert (answer.status, answer.json()) == (503, {"error": "model_missing"})
    assert selected_model() is None


async def test_a_model_that_was_changed_on_disk_is_refused(daemon: RunningDaemon) -> None:
    model = add_copy("another") / "model.onnx"
    content = bytearray(model.read_bytes())
    content[-1] ^= 1
    model.write_bytes(content)
    answer = await daemon.post(USE, {"name": "another"})
    assert (answer.status, answer.json()) == (503, {"error": "model_damaged"})
    assert selected_model() is None


async def test_a_model_without_a_readable_manifest_is_listed_as_unusable(daemon: RunningDaemon) -> None:
    (add_copy("another") / "manifest.json").write_text("{")
    listed = (await daemon.post(LIST, {})).json()["models"][1]
    assert (listed["name"], listed["format"], listed["is_usable"]) == ("another", "unknown", False)
    assert (await daemon.post(USE, {"name": "another"})).json() == {"error": "model_damaged"}


@pytest.mark.parametrize("name", ["../limen-e5-small", "/etc/passwd", "", ".", "a" * 65, "x\n", 3])
async def test_only_a_plain_name_is_taken(daemon: RunningDaemon, name: object) -> None:
    answer = await daemon.post(USE, {"name": name})
    assert (answer.status, answer.json()) == (422, {"error": "schema"})
    assert selected_model() is None


async def test_where_the_environment_names_the_model_the_page_cannot(tmp_path: Path) -> None:
    async with running(tmp_path, model="patterns") as daemon:
        listed = (await daemon.post(LIST, {})).json()
        assert (listed["chosen"], listed["is_fixed"]) == ("patterns", True)
        answer = await daemon.post(USE, {"name": DEFAULT_MODEL})
        assert (answer.status, answer.json()) == (409, {"error": "model_fixed"})
    assert selected_model() is None


def test_no_call_brings_a_model_in() -> None:
    """A new file is trusted in a terminal alone."""
    assert sorted(route.path for route in ROUTES if route.path.startswith("/v1/models/")) == [LIST, USE]
