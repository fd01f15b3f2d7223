"""A pytest plugin (`-p harness.marker_plugin`): every daemon that a test starts runs at DEBUG, with a marker
in every text that it gets. `harness.marker` sets the environment it needs, and looks for the marker."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from harness.marked_limen import OUTPUT
from harness.weaving import SEED, debug, marker_of, unwoven, weave

MARKER = marker_of(os.environ[SEED])
weave(MARKER)

# Only now: these import the routes, and with them the reader of texts.
from browser import daemon_process  # noqa: E402
from harness import program  # noqa: E402
from harness.small_detector import SmallDetector  # noqa: E402
from limen_daemon import journal  # noqa: E402

LIMEN = (sys.executable, "-m", "harness.marked_limen")
program.LIMEN = LIMEN
daemon_process.COMMAND = list(LIMEN)

_environment = program.environment
program.environment = lambda folder, **more: debug(_environment(folder, **more))
_of_browser_daemon = daemon_process.DaemonProcess.environment.fget
daemon_process.DaemonProcess.environment = property(lambda self: debug(_of_browser_daemon(self)))

_detect = SmallDetector.detect


def _detect_marked(self: SmallDetector, text: str, *, context: str | None = None) -> object:
    """A test that looks at what was sent sees what it sent."""
    try:
        return _detect(self, text, context=context)
    finally:
        self.texts[:] = [unwoven(kept, MARKER) for kept in self.texts]


SmallDetector.detect = _detect_marked  # type: ignore[assignment, method-assign]


def pytest_configure() -> None:
    """The log of the daemons that run in the tests' own process."""
    handler = logging.FileHandler(Path(os.environ[OUTPUT]) / "in-process.log")
    handler.setFormatter(journal.TextlessFormatter())
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.DEBUG)
