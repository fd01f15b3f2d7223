"""What the security tests watch: whether a body was read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from harness.daemon import RunningDaemon, running


@pytest.fixture
async def daemon(tmp_path: Path) -> AsyncIterator[RunningDaemon]:
    async with running(tmp_path / "state") as started:
        yield started


@pytest.fixture
def bodies_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by a path each time a request's body is read."""
    paths: list[str] = []
    read = web.BaseRequest.read

    async def counted(self: web.BaseRequest) -> bytes:
        paths.append(self.path)
        return await read(self)

    monkeypatch.setattr(web.BaseRequest, "read", counted)
    return paths
