"""Fixtures that every package's tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: a busy machine would fail a right answer. `--hypothesis-profile=long` searches longer;
# `round` is one round of `make fuzz`.
settings.register_profile("limen", deadline=None)
settings.register_profile("round", deadline=None, max_examples=300)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile("limen")

# A shell starts its background jobs with SIGINT ignored, and programs hand that on: the programs that the
# tests start and interrupt would never hear of it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


def _data_dir() -> Path:
    configured = os.environ.get("LIMEN_DATA")
    return Path(configured) if configured else ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of data sets; tests that need it skip where it is absent."""
    folder = _data_dir()
    if not folder.is_dir():
        pytest.skip(f"no data sets at {folder}; set LIMEN_DATA to their folder")
    return folder
