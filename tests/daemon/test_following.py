"""`limen models use` switches the detector of a daemon that runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from limen_daemon.errors import DetectorError
from limen_daemon.lanes.following import follow_choice, state_of
from limen_daemon.lanes.protocol import Lane
from limen_daemon.lifecycle import worker_lane
from limen_daemon.models.selection import select_model, selection_path
from limen_daemon.settings import Settings


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


async def test_a_choice_made_while_the_daemon_runs_is_taken_over(tmp_path: Path) -> None:
    select_model("patterns")
    async with worker_lane(Settings(state_dir=tmp_path / "state"), lambda line: None) as lane:
        assert lane.info is not None
        assert lane.info.format == "patterns"
        select_model("limen-e5-small")
        async with asyncio.timeout(120):
            while (await _checked_by(lane)) != "model":
                pass
        assert lane.info.format == "onnx"


async def _checked_by(lane: Lane) -> str:
    """Asks after a moment: while the worker is changed, texts are not checked."""
    await asyncio.sleep(0.2)
    try:
        return (await lane.detect("I have type 2 diabetes and my wife left me")).checked_by
    except DetectorError:
        return "nothing"


async def test_a_file_that_appears_changes_or_goes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "selected.json"
    noticed: asyncio.Queue[bool] = asyncio.Queue()

    async def reload() -> None:
        await noticed.put(path.exists())

    following = asyncio.create_task(follow_choice(path, state_of(path), reload, every_s=0.01))
    try:
        async with asyncio.timeout(60):
            path.write_text("a")
            assert await noticed.get() is True
            path.unlink()
            assert await noticed.get() is False
    finally:
        following.cancel()


async def test_a_model_set_in_the_environment_is_not_overruled(tmp_path: Path) -> None:
    select_model("limen-e5-small")
    settings = Settings(state_dir=tmp_path / "state", model="patterns")
    async with worker_lane(settings, lambda line: None) as lane:
        assert lane.info is not None
        assert lane.info.format == "patterns"
        assert selection_path().exists()
