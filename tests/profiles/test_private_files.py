from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from limen_profiles.private_files import overwrite_and_remove


@pytest.mark.skipif(os.name != "posix", reason="an open file keeps its name on Windows")
def test_a_kill_in_the_middle_of_a_removal_leaves_no_file_of_random_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "profile.key.next"
    path.write_bytes(b"key")

    def killed(_count: int) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(secrets, "token_bytes", killed)
    with pytest.raises(KeyboardInterrupt):
        overwrite_and_remove(path)
    assert not path.exists()


def test_the_content_is_overwritten_before_it_is_given_up(tmp_path: Path) -> None:
    path, other_name = tmp_path / "key", tmp_path / "other"
    path.write_bytes(b"needle" * 100)
    os.link(path, other_name)
    assert overwrite_and_remove(path)
    assert not path.exists()
    assert len(other_name.read_bytes()) == 600
    assert b"needle" not in other_name.read_bytes()


def test_what_is_not_there_is_not_removed(tmp_path: Path) -> None:
    assert not overwrite_and_remove(tmp_path / "none")
