"""Progress bars with the time left, on stderr; silent where stderr is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress(label: str, total: int, done: int = 0) -> Iterator[Callable[[], None]]:
    """Show a bar; the yielded function moves it by one. `done` items were finished by an earlier run."""
    with click.progressbar(
        length=total,
        label=label,
        file=sys.stderr,
        show_pos=True,
        show_eta=True,
        hidden=not sys.stderr.isatty(),
    ) as bar:
        bar.update(done)
        yield lambda: bar.update(1)
