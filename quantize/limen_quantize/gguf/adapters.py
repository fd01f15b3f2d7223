"""Which weights are tuned, low-rank adapters (LoRA, Hu et al. 2022) or whole layers, and their merging."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import torch
from torch import nn

from limen_quantize.gguf.tuning_config import TuningConfig

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class LowRankLinear(nn.Module):
    """A frozen linear layer plus `scale * up(down(dropout(x)))`; starts as the frozen layer alone."""

    def __init__(self, frozen: nn.Linear, *, rank: int, alpha: float, dropout: float) -> None:
        super().__init__()
        self.frozen = frozen
        self.down = nn.Parameter(torch.empty(rank, frozen.in_features))
        self.up = nn.Parameter(torch.zeros(frozen.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))
        self.scale = alpha / rank
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Same shapes as `nn.Linear`: (..., in) to (..., out)."""
        low = nn.functional.linear(self.dropout(inputs), self.down * self.scale)
        return cast(torch.Tensor, self.frozen(inputs)) + nn.functional.linear(low, self.up)

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """The frozen layer with the adapter added to its weights, in float32."""
        self.frozen.float()
        self.frozen.weight += self.scale * (self.up @ self.down)
        return self.frozen


def prepare(
    model: PreTrainedModel, config: TuningConfig, *, bfloat16: bool
) -> list[tuple[str, nn.Parameter]]:
    """Freeze the model, open what `config` tunes, and return it by name.

    LoRA: adapters on every linear layer of the tuned blocks (queries, keys, values, output and the dense
    layers, as in the paper's appendix H), frozen weights in bfloat16 where `bfloat16`. Full: the
    tuned blocks' own weights, kept in float32.
    """
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    blocks = list(model.model.layers)
    tuned = blocks if config.top_layers is None else blocks[-config.top_layers :]
    if config.method == "full":
        for block in tuned:
            block.requires_grad_(True)
        model.model.norm.requires_grad_(True)
        if bfloat16:
            for block in blocks[: len(blocks) - len(tuned)]:
                block.to(torch.bfloat16)
            model.model.embed_tokens.to(torch.bfloat16)
    else:
        if bfloat16:
            model.to(torch.bfloat16)
        generator_state = torch.random.get_rng_state()
        torch.manual_seed(config.seed)
        for block in tuned:
            for parent in list(block.modules()):
                for name, child in list(parent.named_children()):
                    if isinstance(child, nn.Linear):
                        adapter = LowRankLinear(
                            child, rank=config.rank, alpha=config.alpha, dropout=config.dropout
                        )
                        setattr(parent, name, adapter)
        torch.random.set_rng_state(generator_state)
    return [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]


def merge(model: PreTrainedModel) -> PreTrainedModel:
    """Fold every adapter into its layer; the model is a plain transformers model in float32 again."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, LowRankLinear):
                setattr(parent, name, child.merged())
    return model.float()
