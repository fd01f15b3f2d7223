"""Fixtures of the profile's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.profile import Box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A folder for a profile; every service made in it is closed at the end."""
    made = Box(tmp_path)
    yield made
    made.close()
