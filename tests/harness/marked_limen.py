"""`limen` with a marker in every text it gets; what it prints is kept beside. Run as a program."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from pathlib import Path

from harness.weaving import SEED, marker_of, weave

OUTPUT = "MARKER_OUTPUT"
"""Environment variable: the folder for what is printed."""


def keep_a_copy(descriptor: int, path: Path) -> None:
    """What is written to `descriptor`, by Python or below it, goes to `path` too."""
    before = os.dup(descriptor)
    reading, writing = os.pipe()
    os.dup2(writing, descriptor)
    os.close(writing)

    def copy() -> None:
        with path.open("ab", buffering=0) as kept:
            while part := os.read(reading, 65536):
                os.write(before, part)
                kept.write(part)

    thread = threading.Thread(target=copy, daemon=True)
    thread.start()

    def end() -> None:
        (sys.stdout if descriptor == 1 else sys.stderr).flush()
        os.dup2(before, descriptor)
        thread.join(5)

    atexit.register(end)


if __name__ == "__main__":
    folder = Path(os.environ[OUTPUT])
    for number, name in ((1, "stdout"), (2, "stderr")):
        keep_a_copy(number, folder / f"{os.getpid()}.{name}")
    weave(marker_of(os.environ[SEED]))
    from limen_daemon.cli import main

    main()
