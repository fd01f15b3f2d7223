"""Batches of windows of nearly equal length, so that hardly any computing goes into padding."""

from __future__ import annotations

import random
from collections.abc import Sequence

from limen_quantize.encoding import Encoded


def bucketed(
    windows: Sequence[Encoded], *, batch_tokens: int, batch_queries: int, rng: random.Random
) -> list[list[Encoded]]:
    """Group `windows` by length and shuffle the groups.

    A batch holds at most `batch_queries` windows and, padding included, `batch_tokens` tokens (one
    window that alone is longer still gets its batch). Ties in length are broken at random, so the
    batches differ from epoch to epoch.
    """
    ordered = sorted(windows, key=lambda window: len(window.ids) * (0.9 + 0.2 * rng.random()))
    batches: list[list[Encoded]] = []
    current: list[Encoded] = []
    longest = 0
    for window in ordered:
        longest_with = max(longest, len(window.ids))
        if current and (len(current) == batch_queries or longest_with * (len(current) + 1) > batch_tokens):
            batches.append(current)
            current, longest_with = [], len(window.ids)
        current.append(window)
        longest = longest_with
    if current:
        batches.append(current)
    rng.shuffle(batches)
    return batches
