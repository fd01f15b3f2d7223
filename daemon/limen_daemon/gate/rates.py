"""How many calls one caller may make: a token bucket each."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

MAX_CALLERS = 1024


class Rates:
    """`per_s` calls a second for long, `burst` at once. `clock` gives seconds, monotonic."""

    def __init__(self, *, per_s: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, caller: str) -> int | None:
        """Take one call from `caller`'s bucket. None: it may call; else whole seconds to wait, at least 1."""
        now = self._clock()
        level, seen = self._buckets.pop(caller, (float(self._burst), now))
        level = min(float(self._burst), level + (now - seen) * self._per_s)
        allowed = level >= 1
        self._buckets[caller] = (level - 1 if allowed else level, now)
        if len(self._buckets) > MAX_CALLERS:
            self._buckets.popitem(last=False)
        return None if allowed else max(1, math.ceil((1 - level) / self._per_s))
