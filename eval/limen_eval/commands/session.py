"""Running a command's work inside a run folder: what is left behind when it ends early."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from limen_daemon.errors import LimenError
from limen_eval.errors import Interrupted
from limen_eval.records.folder import RunFolder


def run_to_end(folder: RunFolder, work: Coroutine[Any, Any, None]) -> None:
    """Run `work`; Ctrl-C and errors leave a run that `--resume` continues.

    Raises: `Interrupted` (exit code 130) after Ctrl-C.
    """
    try:
        asyncio.run(work)
    except KeyboardInterrupt:
        folder.stop("interrupted")
        raise Interrupted(f"stopped; continue with --resume --out {folder.path}") from None
    except LimenError:
        folder.stop("failed")
        raise
