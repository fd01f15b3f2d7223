"""Examples in batches of about equal numbers of tokens, in an order that the seed alone decides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from limen_quantize.gguf.conversations import IGNORED, Example

if TYPE_CHECKING:
    import torch

_NEIGHBOURS = 256


class Batch(NamedTuple):
    """Tensors of shape (examples, longest), padded on the right. Causal attention never looks there."""

    ids: torch.Tensor
    labels: torch.Tensor
    weights: torch.Tensor


def plan(lengths: Sequence[int], *, batch_tokens: int, seed: int, epoch: int) -> list[list[int]]:
    """Indices of each batch of one epoch: shuffled, of similar length within a batch, padding counted."""
    rng = random.Random(seed * 1_000_003 + epoch)  # noqa: S311  # a reproducible order, nothing secret
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches: list[list[int]] = []
    for begin in range(0, len(order), _NEIGHBOURS):
        group = sorted(order[begin : begin + _NEIGHBOURS], key=lambda index: lengths[index])
        batch: list[int] = []
        for index in group:
            if batch and (len(batch) + 1) * lengths[index] > batch_tokens:
                batches.append(batch)
                batch = []
            batch.append(index)
        if batch:
            batches.append(batch)
    rng.shuffle(batches)
    return batches


def collate(examples: Sequence[Example], *, padding: int) -> Batch:
    """Pad examples to one length."""
    import torch

    longest = max(len(example.ids) for example in examples)
    ids = torch.full((len(examples), longest), padding)
    labels = torch.full((len(examples), longest), IGNORED)
    weights = torch.zeros((len(examples), longest))
    for row, example in enumerate(examples):
        ids[row, : len(example.ids)] = torch.tensor(example.ids)
        labels[row, : len(example.labels)] = torch.tensor(example.labels)
        weights[row, : len(example.weights)] = torch.tensor(example.weights)
    return Batch(ids, labels, weights)


def batches(
    examples: Sequence[Example], *, batch_tokens: int, padding: int, seed: int, epoch: int
) -> Iterator[Batch]:
    """The batches of one epoch, in order."""
    lengths = [len(example.ids) for example in examples]
    for indices in plan(lengths, batch_tokens=batch_tokens, seed=seed, epoch=epoch):
        yield collate([examples[index] for index in indices], padding=padding)
