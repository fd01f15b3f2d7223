"""How a tagger reads texts: cut into windows that overlap, and what it says put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from limen_daemon.detector.layout import LabelLayout
from limen_daemon.detector.windows import windows_of
from limen_quantize.answer_file import N_TAGS, GivenAnswer
from limen_quantize.encoding import Encoded, token_labels, windows_from
from limen_quantize.queries import AnnotatedQuery

_BATCH = 12


class Reader(Protocol):
    """A model's tokenizer, with the ids of the tokens around a text and of what fills up a batch."""

    start: int
    end: int
    padding: int

    def with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Token ids of a text and each one's code points `[start, end)`; nothing in it is a control token."""


class Windows:
    """Cuts texts into windows of tokens: start, inner tokens, end."""

    def __init__(self, reader: Reader, *, max_tokens: int) -> None:
        self._reader = reader
        self.room = max_tokens - 2

    def encode(self, query: AnnotatedQuery) -> list[Encoded]:
        """The windows of a query with their labels."""
        ids, offsets = self._reader.with_offsets(query.text)
        labels = token_labels(query.text, offsets, query.phrases)
        return windows_from(ids, labels, room=self.room, start_id=self._reader.start, end_id=self._reader.end)


def answer_texts(
    tagger: nn.Module,
    reader: Reader,
    texts: Sequence[str],
    *,
    max_tokens: int,
    bfloat16: bool,
    report: Callable[[float], None] = lambda _: None,
) -> list[GivenAnswer]:
    """What the tagger says of each text; a long text leaks as much as its likeliest window.

    `report` is called with the share done.
    """
    room = Windows(reader, max_tokens=max_tokens).room
    columns = LabelLayout.standard().columns
    read = [reader.with_offsets(text) for text in texts]
    rows = [
        (n, window)
        for n, (ids, _) in enumerate(read)
        for window in windows_of(len(ids), size=room, overlap=room // 4)
    ]
    rows.sort(key=lambda row: row[1].end - row[1].begin)
    tags = [np.zeros((len(ids), N_TAGS), dtype=np.float32) for ids, _ in read]
    leaks = np.zeros(len(texts), dtype=np.float32)
    tagger.eval()
    for at in range(0, len(rows), _BATCH):
        chunk = rows[at : at + _BATCH]
        ids, mask = _padded([read[n][0][window.begin : window.end] for n, window in chunk], reader)
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits = tagger(ids, mask).float()
        of_tags = torch.softmax(logits[:, :, list(columns["tag"])], -1).numpy()
        of_leak = torch.softmax(logits[:, 0, list(columns["leak"])], -1)[:, 1].numpy()
        for row, (n, window) in enumerate(chunk):
            first = window.keep_begin - window.begin + 1
            size = window.keep_end - window.keep_begin
            tags[n][window.keep_begin : window.keep_end] = of_tags[row, first : first + size]
            leaks[n] = np.maximum(leaks[n], of_leak[row])
        report((at + len(chunk)) / len(rows))
    return [
        GivenAnswer(np.array(offsets, dtype=np.int32).reshape(-1, 2), tags[n], float(leaks[n]))
        for n, (_, offsets) in enumerate(read)
    ]


def _padded(inner: Sequence[list[int]], reader: Reader) -> tuple[Tensor, Tensor]:
    """Ids and mask (batch, longest + 2) of windows, each between the tokens around a text."""
    longest = max(map(len, inner)) + 2
    ids = torch.full((len(inner), longest), reader.padding)
    mask = torch.zeros(len(inner), longest, dtype=torch.long)
    for row, own in enumerate(inner):
        ids[row, : len(own) + 2] = torch.tensor([reader.start, *own, reader.end])
        mask[row, : len(own) + 2] = 1
    return ids, mask
