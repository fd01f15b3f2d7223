"""Averages the weights of members that began from the same encoder and the same fresh classifier.

Wortsman et al. 2022 ("model soups"): the mean of fine-tuned weights is usually at least as good as the
best of them, and costs nothing at run time, unlike averaging answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

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


def follow(
    average: dict[str, Tensor], parameters: Mapping[str, Tensor], *, decay: float, steps_done: int
) -> None:
    """Move an exponential moving average of weights, in place, towards `parameters` after a further step.

    `steps_done` before that step. Early on it follows faster than `decay` says, or it would remember the
    weights that training began with.
    """
    decay = min(decay, (1 + steps_done) / (10 + steps_done))
    names = list(average)
    if names:
        torch._foreach_lerp_(
            [average[name] for name in names], [parameters[name].detach() for name in names], 1 - decay
        )
