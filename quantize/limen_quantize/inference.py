"""Runs the float network over whole queries, for scores during training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from limen_quantize.answers import Answer
from limen_quantize.encoding import boundary_ids
from limen_quantize.queries import AnnotatedQuery

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def answer_all(
    network: Any,
    tokenizer: Tokenizer,
    queries: Sequence[AnnotatedQuery],
    *,
    max_tokens: int,
    bfloat16: bool,
) -> list[Answer]:
    """Answer each query by its first `max_tokens` tokens (scores in training need no sliding windows)."""
    start_id, end_id = boundary_ids(tokenizer)
    padding_id = int(network.config.pad_token_id)
    encodings = tokenizer.encode_batch([query.text for query in queries], add_special_tokens=False)
    rows = [[start_id, *encoding.ids[: max_tokens - 2], end_id] for encoding in encodings]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
    answers: list[Answer | None] = [None] * len(rows)
    network.eval()
    for begin in range(0, len(order), 16):
        chunk = order[begin : begin + 16]
        longest = max(len(rows[index]) for index in chunk)
        ids = torch.tensor([rows[i] + [padding_id] * (longest - len(rows[i])) for i in chunk])
        mask = (torch.arange(longest)[None] < torch.tensor([[len(rows[i])] for i in chunk])).long()
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits = network(input_ids=ids, attention_mask=mask).logits.float().numpy()
        for row, index in enumerate(chunk):
            offsets = [(0, 0), *encodings[index].offsets[: max_tokens - 2], (0, 0)]
            answers[index] = Answer(queries[index], logits[row, : len(offsets)], offsets)
    return [answer for answer in answers if answer is not None]
