"""Sliding windows over a long text's tokens, and their answers merged back without seams.

Windows overlap. In an overlap each token takes its logits from the window in whose middle it lies deeper,
so every token is judged with context on both sides, and decoding runs once over the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from limen_daemon.detector.decode import Decoded, DecodedSpan, Floats, Offsets

WINDOW_TOKENS = 320
"""Tokens per window, start and end token included: what training saw at most."""
OVERLAP_TOKENS = 80


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens `[begin, end)` of the text go through the model; of these, `[keep_begin, keep_end)` count."""

    begin: int
    end: int
    keep_begin: int
    keep_end: int


def windows_of(
    n_tokens: int, *, size: int = WINDOW_TOKENS - 2, overlap: int = OVERLAP_TOKENS
) -> list[Window]:
    """Cover `n_tokens` (without start and end token) by windows of `size` at most; `keep` ranges tile it."""
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and less than size")
    if n_tokens <= size:
        return [Window(0, n_tokens, 0, n_tokens)]
    stride = size - overlap
    begins = [*range(0, n_tokens - size, stride), n_tokens - size]
    windows: list[Window] = []
    for position, begin in enumerate(begins):
        end = begin + size
        keep_begin = 0 if position == 0 else windows[-1].keep_end
        is_last = position == len(begins) - 1
        keep_end = n_tokens if is_last else (begins[position + 1] + end) // 2
        windows.append(Window(begin, end, keep_begin, keep_end))
    return windows


def batches(windows: Sequence[Window], *, batch_tokens: int) -> Iterator[list[Window]]:
    """Group neighbouring windows; a padded batch holds at most `batch_tokens` tokens (or one window)."""
    current: list[Window] = []
    for window in windows:
        longest = max(item.end - item.begin for item in [*current, window])
        if current and longest * (len(current) + 1) > batch_tokens:
            yield current
            current = []
        current.append(window)
    if current:
        yield current


def merge_logits(
    windows: Sequence[Window], logits: Sequence[Floats], offsets: Offsets
) -> tuple[Floats, list[tuple[int, int]]]:
    """One row of logits per token of the text, headed by a start row, with the rows' code-point offsets.

    `logits[k]` is (end - begin + 2, width) for window k, start and end token included. The start row is
    that of the first window.
    """
    rows = [logits[0][:1]]
    for window, part in zip(windows, logits, strict=True):
        first = window.keep_begin - window.begin + 1
        rows.append(part[first : first + window.keep_end - window.keep_begin])
    return np.concatenate(rows), [(0, 0), *offsets]


def by_window(
    windows: Sequence[Window], leaks: Sequence[float], decoded: Decoded, offsets: Offsets
) -> list[Decoded]:
    """Share a long text's spans among its windows, each with that window's own leak score.

    A phrase belongs to the window whose kept tokens hold its start; so one telling sentence is judged by
    what stands near it, not by the start of a long text.
    """
    shared: list[list[DecodedSpan]] = [[] for _ in windows]
    limits = [offsets[w.keep_end - 1][1] if w.keep_end else 0 for w in windows]
    at = 0
    for span in decoded.spans:
        while at < len(windows) - 1 and span.start >= limits[at]:
            at += 1
        shared[at].append(span)
    return [Decoded(tuple(spans), leak) for spans, leak in zip(shared, leaks, strict=True)]
