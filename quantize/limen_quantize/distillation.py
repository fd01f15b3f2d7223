"""Teachers: trained networks whose mean answer a new network learns beside the annotation.

Several networks that learned the same task differ in what they are sure of, and the mean of their
probabilities is better than any of them (and than the mean of their weights); one network that learns this
mean keeps most of the gain at the price of one (Hinton et al. 2015). Teachers see the very tokens that the
student sees, disturbed and joined as they are (Beyer et al. 2022, "a consistent and patient teacher"). A
network with other word pieces cannot do that; its answers to whole, undisturbed texts come from a file
(`limen_quantize.answer_file`) and move along with the text when it is disturbed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import log_softmax, softmax

from limen_daemon.detector.decode import OUTSIDE
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.config import Distillation, LossWeights
from limen_quantize.encoding import IGNORED, SPAN_HEADS
from limen_quantize.errors import TrainingError
from limen_quantize.network import ATTENTION, EXPORTED, exported_network

Soft = dict[str, Tensor]
"""Mean probabilities of each head's labels: (batch, seq, labels), for `leak` (batch, labels)."""


class Teachers:
    """Several trained networks that answer together."""

    def __init__(self, config: Distillation, layout: LabelLayout, *, vocabulary: int, bfloat16: bool) -> None:
        """Load them. `vocabulary`: the student's number of word pieces, which must be the teachers' too.

        Raises: `TrainingError` when one cannot be loaded or has other word pieces or other labels.
        """
        self._networks = [load_teacher(Path(name)) for name in config.teachers]
        for name, network in zip(config.teachers, self._networks, strict=True):
            if network.config.vocab_size != vocabulary or network.config.id2label != layout.id2label():
                raise TrainingError(f"{name}: a teacher needs the student's word pieces and labels")
        self._columns = {head: list(columns) for head, columns in layout.columns.items()}
        self.share = config.share
        """How much they count beside the annotation, 0 to 1."""
        self._temperature = config.temperature
        self._answers_share = config.answers_share
        self._bfloat16 = bfloat16

    def answer(self, made: dict[str, Tensor]) -> Soft:
        """The mean of their answers to a batch as `limen_quantize.network.tensors` makes it."""
        total: Soft = {}
        for network in self._networks:
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
                logits = network(input_ids=made["input_ids"], attention_mask=made["attention_mask"]).logits
            for head, columns in self._columns.items():
                own = logits[:, 0, columns] if head == "leak" else logits[:, :, columns]
                share = softmax(own.float() / self._temperature, dim=-1) / len(self._networks)
                total[head] = total[head] + share if head in total else share
        return total

    def loss(self, logits: Tensor, made: dict[str, Tensor], weights: LossWeights) -> Tensor:
        """The weighted sum of the heads' cross-entropies with the teachers' probabilities, a scalar.

        `logits` (batch, seq, width) float32, the student's answer to `made`. Tags count on every token of
        the text; what a phrase is about counts as far as the teachers take a token for part of a phrase. The
        factor of the squared temperature keeps gradients as large as those of the annotation (Hinton et al.
        2015, section 2).
        """
        soft = self._joined(self.answer(made), made)
        read = made["tag"] != IGNORED
        inside = (1.0 - soft["tag"][:, :, OUTSIDE]) * read
        total = _mean(self._gap(logits, soft, "tag"), read.float())
        leak = log_softmax(logits[:, 0, self._columns["leak"]] / self._temperature, dim=-1)
        total = total - weights.leak * (soft["leak"] * leak).sum(-1).mean()
        for head in SPAN_HEADS:
            total = total + getattr(weights, head) * _mean(self._gap(logits, soft, head), inside)
        return total * self._temperature**2

    def _joined(self, soft: Soft, made: dict[str, Tensor]) -> Soft:
        """The teachers' answers, with those that were given beforehand where there are any.

        A given answer says how far a token is inside; how much of that begins a phrase the teachers say.
        """
        if "answered_leak" not in made:
            return soft
        inside = 1.0 - soft["tag"][:, :, OUTSIDE]
        mixed = torch.lerp(inside, self._softer(made["answered_inside"]), self._answers_share)
        mixed = torch.where(mixed.isnan(), inside, mixed)
        tag = soft["tag"] * (mixed / inside.clamp(min=1e-6)).unsqueeze(-1)
        tag[:, :, OUTSIDE] = 1.0 - mixed
        own = soft["leak"][:, 1]
        leak = torch.lerp(own, self._softer(made["answered_leak"]), self._answers_share)
        leak = torch.where(leak.isnan(), own, leak)
        return {**soft, "tag": tag, "leak": torch.stack([1.0 - leak, leak], dim=-1)}

    def _softer(self, share: Tensor) -> Tensor:
        """A probability at this temperature; NaN stays NaN."""
        odds = torch.logit(share.clamp(1e-6, 1.0 - 1e-6))
        return torch.sigmoid(odds / self._temperature)

    def _gap(self, logits: Tensor, soft: Soft, head: str) -> Tensor:
        own = log_softmax(logits[:, :, self._columns[head]] / self._temperature, dim=-1)
        return -(soft[head] * own).sum(-1)


def weights_file(path: Path) -> Path:
    """Where a teacher's weights are: an ONNX model's file, a finished run's network or the folder's own.

    Raises: `TrainingError` when there are none.
    """
    for name in (EXPORTED, "network/model.safetensors", "model.safetensors"):
        if (path / name).is_file():
            return path / name
    raise TrainingError(f"{path}: no trained network could be loaded from there")


def load_teacher(path: Path) -> Any:
    """A trained network: from its own folder, from a finished run's, or read back from an ONNX model folder.

    Raises: `TrainingError` when there is none.
    """
    from transformers import AutoConfig, AutoModelForTokenClassification

    file = weights_file(path)
    try:
        if file.name == EXPORTED:
            network = exported_network(path, AutoConfig.from_pretrained(path))
        else:
            network = AutoModelForTokenClassification.from_pretrained(
                file.parent, dtype=torch.float32, attn_implementation=ATTENTION
            )
    except (OSError, ValueError, RuntimeError) as error:
        raise TrainingError(f"{path}: no trained network could be loaded from there") from error
    return network.eval().requires_grad_(False)


def _mean(values: Tensor, weights: Tensor) -> Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)
