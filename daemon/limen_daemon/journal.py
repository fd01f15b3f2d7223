"""The log. It can hold event names, numbers, and names of classes: there is no way to write text into it.

Records of other libraries are kept as well, but only their place and level: what they say may hold a
request, a row or an argument.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from enum import Enum, StrEnum
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from limen_daemon.private_files import make_private_folder

MAX_BYTES = 1_000_000
FILES_KEPT = 3

_logger = logging.getLogger("limen")


class Event(StrEnum):
    """Everything the daemon can say about itself."""

    STARTED = "started"
    STOPPED = "stopped"
    REFUSED = "refused"
    FAULT = "fault"
    BAD_REQUEST = "bad_request"
    EVICTED = "connection_evicted"
    DETECTOR_LOADED = "detector_loaded"
    DETECTOR_FAILED = "detector_failed"
    WORKER_STARTED = "worker_started"
    WORKER_LOST = "worker_lost"
    PAIRING_OPENED = "pairing_opened"
    PAIRING_CLOSED = "pairing_closed"
    PAIRED = "paired"
    UNPAIRED = "unpaired"


Value = int | float | bool | Enum | type


def event(name: Event, *, level: int = logging.INFO, **values: Value) -> None:
    """Log `name` with numbers, enums and classes. Raises: `TypeError` for anything else, strings first."""
    for key, value in values.items():
        if not isinstance(value, int | float | bool | Enum | type):
            raise TypeError(f"the log takes no {type(value).__name__} ({key})")
    _logger.log(level, name.value, extra={"limen_values": values})


def fault(error: BaseException) -> None:
    """Log that `error` was not foreseen: its class and the line it came from, never its text."""
    _logger.error(
        Event.FAULT.value, extra={"limen_values": {"kind": type(error)}, "limen_place": place(error)}
    )


def place(error: BaseException) -> str:
    """Where `error` was raised: file name and line."""
    last: TracebackType | None = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return "nowhere" if last is None else f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}"


class TextlessFormatter(logging.Formatter):
    """Writes the time, the level, the place, and of our own events the values. Never a message's text."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [self.formatTime(record), record.levelname]
        values = getattr(record, "limen_values", None)
        if isinstance(values, dict):
            parts.append(record.msg)
            parts += [f"{key}={_shown(value)}" for key, value in values.items()]
            if where := getattr(record, "limen_place", None):
                parts.append(f"at={where}")
        else:
            parts.append(f"{record.name} {record.filename}:{record.lineno}")
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            parts.append(f"kind={type(error).__name__} at={place(error)}")
        return " ".join(parts)


def _shown(value: Value) -> str:
    if isinstance(value, type):
        return value.__name__
    return (
        str(value.value)
        if isinstance(value, Enum)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def open_journal(folder: Path, level: str) -> Path:
    """Send every record of this process to `daemon.log` in `folder` (0700), and to nowhere else. Blocking."""
    path = make_private_folder(folder) / "daemon.log"
    handler = RotatingFileHandler(
        path, maxBytes=MAX_BYTES, backupCount=FILES_KEPT, encoding="utf-8", delay=False
    )
    handler.setFormatter(TextlessFormatter())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    logging.raiseExceptions = False  # a failing handler would print the record's arguments
    logging.captureWarnings(True)
    return path


def install_hooks() -> None:
    """Make uncaught errors of the main thread, of threads and of finalizers leave only their class."""

    def on_uncaught(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        fault(error)
        print(f"limen: stopped by an internal fault ({kind.__name__} at {place(error)})", file=sys.stderr)

    def on_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            fault(args.exc_value)

    def on_unraisable(args: Any) -> None:
        if args.exc_value is not None:
            fault(args.exc_value)

    sys.excepthook = on_uncaught
    threading.excepthook = on_thread
    sys.unraisablehook = on_unraisable


def on_loop_fault(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's exception handler: asyncio's own would print the task, with its arguments."""
    error = context.get("exception")
    if isinstance(error, BaseException):
        fault(error)
    else:
        event(Event.FAULT, level=logging.ERROR)
