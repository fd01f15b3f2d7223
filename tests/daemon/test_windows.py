"""Sliding windows: they cover a text exactly once, and phrases cross their borders whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.detector.decode import Decoded, DecodedSpan
from limen_daemon.detector.windows import batches, by_window, merge_logits, windows_of
from limen_daemon.findings import Category, Subject


@given(st.integers(0, 3000), st.integers(2, 400), st.data())
def test_kept_ranges_tile_the_text(n_tokens: int, size: int, data: st.DataObject):
    overlap = data.draw(st.integers(0, size - 1))
    windows = windows_of(n_tokens, size=size, overlap=overlap)
    kept = [token for window in windows for token in range(window.keep_begin, window.keep_end)]
    assert kept == list(range(n_tokens))
    assert all(w.begin <= w.keep_begin and w.keep_end <= w.end for w in windows)
    assert all(w.end - w.begin <= size for w in windows)


def test_every_inner_token_has_context_on_both_sides():
    windows = windows_of(1000, size=300, overlap=80)
    for window in windows[1:]:
        assert window.keep_begin - window.begin >= 40
    for window in windows[:-1]:
        assert window.end - window.keep_end >= 40


def test_an_overlap_as_large_as_the_window_is_refused():
    with pytest.raises(ValueError, match="overlap"):
        windows_of(10, size=4, overlap=4)


@given(st.integers(1, 5000), st.integers(320, 4000))
def test_batches_keep_the_order_and_the_bound(n_tokens: int, batch_tokens: int):
    windows = windows_of(n_tokens)
    grouped = list(batches(windows, batch_tokens=batch_tokens))
    assert [window for batch in grouped for window in batch] == windows
    assert all(
        len(batch) == 1 or max(w.end - w.begin for w in batch) * len(batch) <= batch_tokens
        for batch in grouped
    )


def test_merged_logits_hold_each_token_once_from_the_window_that_keeps_it():
    windows = windows_of(10, size=6, overlap=4)
    logits = [
        np.asarray([[-1.0], *[[token + 100 * k] for token in range(w.begin, w.end)], [-2.0]], np.float32)
        for k, w in enumerate(windows)
    ]
    offsets = [(token, token + 1) for token in range(10)]
    rows, row_offsets = merge_logits(windows, logits, offsets)
    assert row_offsets == [(0, 0), *offsets]
    assert rows[0, 0] == -1.0
    assert [int(value) % 100 for value in rows[1:, 0]] == list(range(10))
    owner = [k for k, w in enumerate(windows) for _ in range(w.keep_begin, w.keep_end)]
    assert [int(value) // 100 for value in rows[1:, 0]] == owner


def test_each_phrase_is_judged_by_the_leak_score_of_its_own_window():
    windows = windows_of(20, size=10, overlap=2)
    offsets = [(token, token + 1) for token in range(20)]
    starts = [windows[0].keep_end - 1, windows[0].keep_end, 19]
    spans = tuple(DecodedSpan(s, s + 1, 0.9, Category.AGE, Subject.USER, 1, 1) for s in starts)
    leaks = [0.1, 0.2, 0.3][: len(windows)]
    parts = by_window(windows, leaks, Decoded(spans, 0.1), offsets)
    assert [part.leak for part in parts] == leaks
    assert [span.start for part in parts for span in part.spans] == starts
    assert [span.start for span in parts[0].spans] == [starts[0]]
