"""A tiny real model for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.tiny_gguf import write_tiny_gguf


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")
    return write_tiny_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf")
