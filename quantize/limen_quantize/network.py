"""The network: a standard token classifier whose one classifier holds every head, and its loss."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from limen_daemon.detector.layout import LabelLayout
from limen_quantize.config import LossWeights, TrainingConfig
from limen_quantize.encoding import IGNORED, SPAN_HEADS, Encoded
from limen_quantize.errors import TrainingError

_LAYER = re.compile(r"\.layers?\.(\d+)\.")
_BELOW = ("embeddings", "relative_attention_bias")
"""Parts that every layer builds on."""

EXPORTED = "model.onnx"

ATTENTION = "eager"
"""On a CPU the backward pass of torch's fused attention takes a quarter of a step in bfloat16; plain
matrix products train 1.5 times as fast (12 windows of 128 tokens, one thread: 1,970 tokens a second, against
1,330)."""


def load_network(config: TrainingConfig, layout: LabelLayout) -> Any:
    """`AutoModelForTokenClassification` on `config.base`, with a classifier as wide as `layout`: a fresh one,
    or the base's own where that is a trained network, in a folder of its own or in an ONNX model's.

    Raises: `TrainingError` when there is none.
    """
    from transformers import AutoConfig, AutoModelForTokenClassification
    from transformers.utils import logging

    logging.set_verbosity_error()  # a fresh classifier is what is wanted here, not worth a warning

    id2label = layout.id2label()
    try:
        base = AutoConfig.from_pretrained(config.base)
        base.update(
            {
                "id2label": id2label,
                "label2id": {name: column for column, name in id2label.items()},
                "hidden_dropout_prob": config.dropout,
                "attention_probs_dropout_prob": config.attention_dropout,
                "classifier_dropout": config.dropout,
            }
        )
        torch.manual_seed(0)  # members share the fresh classifier, or their weights could not be averaged
        if (Path(config.base) / EXPORTED).is_file():
            network = exported_network(Path(config.base), base)
        else:
            network = AutoModelForTokenClassification.from_pretrained(
                config.base, config=base, dtype=torch.float32, attn_implementation=ATTENTION
            )
    except (OSError, ValueError) as error:  # ValueError: a kind of model that transformers does not know
        raise TrainingError(f"{config.base}: no encoder could be loaded from there") from error
    if config.freeze_embeddings:
        network.get_input_embeddings().weight.requires_grad_(False)
    return network


def exported_network(folder: Path, config: Any) -> Any:
    """The network of an ONNX model folder with its weights read back, built after `config`.

    Raises: `ValueError` when the file there is not such a network's.
    """
    from transformers import AutoModelForTokenClassification

    from limen_quantize.onnx.reading import network_weights

    network = AutoModelForTokenClassification.from_config(config, attn_implementation=ATTENTION)
    try:
        weights = network_weights(folder / EXPORTED)
        network.load_state_dict({name: torch.from_numpy(weights[name]) for name in network.state_dict()})
    except Exception as error:  # a damaged file fails in protobuf, onnx, numpy or torch
        raise ValueError(f"{folder}: no network's weights") from error
    return network


def parameter_groups(network: Any, config: TrainingConfig) -> list[dict[str, Any]]:
    """Optimizer groups: classifier at `head_rate`, layers with falling rates, biases and norms undecayed."""
    depth = network.config.num_hidden_layers
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        rate = config.head_rate if name.startswith("classifier") else config.encoder_rate
        layer = _LAYER.search(name)
        if layer:
            rate *= config.layer_decay ** (depth - 1 - int(layer[1]))
        elif any(part in name for part in _BELOW):
            rate *= config.layer_decay**depth
        decay = 0.0 if parameter.ndim < 2 else config.weight_decay
        groups.setdefault((rate, decay), []).append(parameter)
    return [
        {"params": members, "lr": rate, "base_rate": rate, "weight_decay": decay}
        for (rate, decay), members in groups.items()
    ]


def tensors(batch: list[Encoded], *, padding_id: int) -> dict[str, Tensor]:
    """Pad a batch: ids and mask (batch, longest), labels per head likewise; `leak`, `annotated` (batch,)."""
    longest = max(len(window.ids) for window in batch)

    def padded(rows: list[list[int]], fill: int) -> Tensor:
        return torch.tensor([row + [fill] * (longest - len(row)) for row in rows])

    made = {
        "input_ids": padded([window.ids for window in batch], padding_id),
        "attention_mask": padded([[1] * len(window.ids) for window in batch], 0),
        "tag": padded([window.tags for window in batch], IGNORED),
        "leak": torch.tensor([window.leak for window in batch]),
        "annotated": torch.tensor([window.annotated for window in batch]),
    }
    for head in SPAN_HEADS:
        made[head] = padded([window.spans[head] for window in batch], IGNORED)
    if any(window.answer is not None for window in batch):
        made |= _answered(batch, longest)
    return made


def _answered(batch: list[Encoded], longest: int) -> dict[str, Tensor]:
    """Answers given beforehand: `answered_inside` (batch, seq) and `answered_leak` (batch,), NaN where there
    is none."""
    inside = torch.full((len(batch), longest), float("nan"))
    leak = torch.full((len(batch),), float("nan"))
    for row, window in enumerate(batch):
        if window.answer is not None:
            inside[row, : len(window.ids)] = torch.from_numpy(window.answer.inside)
            leak[row] = window.answer.leak
    return {"answered_inside": inside, "answered_leak": leak}


class Heads(nn.Module):
    """The weighted sum of the heads' cross-entropies over one classifier's columns."""

    def __init__(self, layout: LabelLayout, weights: LossWeights) -> None:
        super().__init__()
        self._columns = {head: list(columns) for head, columns in layout.columns.items()}
        self._weights = weights

    def forward(self, logits: Tensor, labels: dict[str, Tensor]) -> Tensor:
        """`logits` (batch, seq, width) float32; `labels` as `tensors` makes them. Returns the scalar loss."""
        smoothing = self._weights.label_smoothing
        leak = logits[:, 0, self._columns["leak"]]
        total = self._over_tokens(logits, labels, "tag", smoothing)
        total = total + self._weights.leak * cross_entropy(leak, labels["leak"], label_smoothing=smoothing)
        for head in SPAN_HEADS:
            if bool((labels[head] != IGNORED).any()):
                total = total + getattr(self._weights, head) * self._over_tokens(logits, labels, head, 0.0)
        return total

    def _over_tokens(self, logits: Tensor, labels: dict[str, Tensor], head: str, smoothing: float) -> Tensor:
        columns = logits[:, :, self._columns[head]]
        return cross_entropy(
            columns.flatten(0, 1), labels[head].flatten(), ignore_index=IGNORED, label_smoothing=smoothing
        )
