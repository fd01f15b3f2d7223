from __future__ import annotations

import asyncio
import logging
import stat
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from limen_daemon import journal

NEEDLE = "needle-in-the-text"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """The journal opened on a file, and every logger put back afterwards."""
    root = logging.getLogger()
    handlers, level, raising = list(root.handlers), root.level, logging.raiseExceptions
    yield journal.open_journal(tmp_path / "log", "DEBUG")
    for handler in list(root.handlers):
        if handler not in handlers:
            root.removeHandler(handler)
            handler.close()
    for handler in handlers:
        if handler not in root.handlers:
            root.addHandler(handler)
    root.setLevel(level)
    logging.raiseExceptions = raising
    logging.captureWarnings(False)


def test_an_event_is_its_name_with_numbers_enums_and_classes(log: Path) -> None:
    journal.event(journal.Event.REFUSED, status=421, kind=ValueError, waited_s=0.25)
    assert log.read_text().rstrip().endswith("INFO refused status=421 kind=ValueError waited_s=0.25")


@pytest.mark.parametrize("value", ["text", b"text", ["text"], None, Path("text")])
def test_an_event_takes_no_text(value: object) -> None:
    with pytest.raises(TypeError):
        journal.event(journal.Event.REFUSED, status=value)  # type: ignore[arg-type]


def test_a_fault_leaves_its_class_and_place_only(log: Path) -> None:
    try:
        raise KeyError(NEEDLE)
    except KeyError as error:
        journal.fault(error)
    text = log.read_text()
    assert "kind=KeyError at=test_journal.py:" in text
    assert NEEDLE not in text


def test_what_other_libraries_log_leaves_its_place_only(log: Path) -> None:
    logging.getLogger("sqlalchemy.engine").warning("INSERT %s", NEEDLE)
    try:
        raise ValueError(NEEDLE)
    except ValueError:
        logging.getLogger("aiohttp.server").exception("request %s", NEEDLE)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(NEEDLE, stacklevel=1)
    text = log.read_text()
    assert "WARNING sqlalchemy.engine test_journal.py:" in text
    assert "kind=ValueError" in text
    assert "py.warnings" in text
    assert NEEDLE not in text


def test_an_uncaught_error_of_a_task_leaves_its_class_only(log: Path) -> None:
    async def failing() -> None:
        raise ValueError(NEEDLE)

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(journal.on_loop_fault)
        task = asyncio.create_task(failing())
        await asyncio.wait([task])
        del task

    asyncio.run(main())
    assert "fault kind=ValueError" in log.read_text()
    assert NEEDLE not in log.read_text()


def test_uncaught_errors_of_the_program_and_of_threads_show_no_text(tmp_path: Path) -> None:
    code = f"""
import threading
from pathlib import Path
from limen_daemon import journal
journal.open_journal(Path({str(tmp_path / "log")!r}), "DEBUG")
journal.install_hooks()
def fail(text): raise ValueError(text)
thread = threading.Thread(target=fail, args=("{NEEDLE}",)); thread.start(); thread.join()
class Last:
    def __del__(self): fail("{NEEDLE}")
Last()
fail("{NEEDLE}")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    text = (tmp_path / "log" / "daemon.log").read_text()
    assert done.returncode == 1
    assert text.count("fault kind=ValueError") == 3
    assert NEEDLE not in text + done.stdout + done.stderr


def test_the_log_is_private(log: Path) -> None:
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700
