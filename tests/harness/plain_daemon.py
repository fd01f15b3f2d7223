"""A daemon that asks nobody who they are, as a process of its own: what sealed requests are measured against.

`python -m harness.plain_daemon FOLDER`, in the folder `tests`, prints the port and serves until it is ended.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from harness.daemon import running, without
from limen_daemon.gate import rules
from limen_daemon.lifecycle import worker_lane
from limen_daemon.settings import Settings


async def serve(folder: Path) -> None:
    settings = Settings(state_dir=folder, model="patterns")
    async with (
        worker_lane(settings, lambda _: None) as lane,
        running(folder, lane=lane, rules=without(rules.authorization, rules.rate)) as daemon,
    ):
        print(daemon.port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
