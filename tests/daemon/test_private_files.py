from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from limen_daemon.errors import ConfigError
from limen_daemon.private_files import create_private, make_private_folder, read_private, replace_private


@pytest.fixture(autouse=True)
def _careless_umask() -> Iterator[None]:
    old = os.umask(0)
    yield
    os.umask(old)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_file_are_private_under_any_umask(tmp_path: Path) -> None:
    folder = make_private_folder(tmp_path / "a" / "b")
    create_private(folder / "f", b"x")
    replace_private(folder / "f", b"y")
    assert (mode(folder), mode(folder / "f"), read_private(folder / "f")) == (0o700, 0o600, b"y")
    assert [path.name for path in folder.iterdir()] == ["f"]


def test_a_file_open_to_others_is_refused_with_the_command_that_repairs_it(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x")
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        read_private(path)


def test_a_folder_open_to_others_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    folder.mkdir(mode=0o755)
    with pytest.raises(ConfigError, match="chmod 700"):
        make_private_folder(folder)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    create_private(tmp_path / "target", b"x")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(ConfigError, match="link"):
        read_private(tmp_path / "link")


def test_an_existing_file_is_never_overwritten_by_create(tmp_path: Path) -> None:
    create_private(tmp_path / "f", b"x")
    with pytest.raises(FileExistsError):
        create_private(tmp_path / "f", b"y")
