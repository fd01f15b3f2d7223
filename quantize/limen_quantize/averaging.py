"""Averages the weights of members that began from the same encoder and the same fresh classifier.

Wortsman et al. 2022 ("model soups"): the mean of fine-tuned weights is usually at least as good as the
best of them, and costs nothing at run time, unlike averaging answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from limen_quantize.errors import TrainingError


def average_weights(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean of state dicts of one architecture, computed in float32; integer buffers are the first's.

    Raises: `TrainingError` when names or shapes differ.
    """
    first = states[0]
    for other in states[1:]:
        if first.keys() != other.keys() or any(first[n].shape != other[n].shape for n in first):
            raise TrainingError(
                "the members are not of one architecture, so their weights cannot be averaged"
            )
    return {
        name: torch.stack([state[name].float() for state in states]).mean(dim=0)
        if value.is_floating_point()
        else value
        for name, value in first.items()
    }
