"""Taggers: a linear layer as wide as the label layout on an encoder, or on a causal model without its mask.

Encoders of a base model's size (MPNet) read a text as a whole by nature. Small causal models have read far
more text, and tag once the causal mask is off (Li et al. 2023, "Label supervised LLaMA finetuning"). Both are
too slow to type along with, but they can teach.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from limen_daemon.detector.layout import LabelLayout
from limen_quantize.config import TrainingConfig
from limen_quantize.encoding import boundary_ids
from limen_quantize.errors import TrainingError
from limen_quantize.gguf.bases import find_base
from limen_quantize.gguf.reading import read_gguf, to_torch
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.network import load_network, parameter_groups
from limen_quantize.record import sha256_of
from limen_quantize.teaching.config import TeachingConfig, is_encoder
from limen_quantize.teaching.reading import Reader
from limen_quantize.training_run import load_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

_MASKED = -1e4
_START, _END = "<|im_start|>", "<|im_end|>"


class Tagger(nn.Module, ABC):
    """Called with ids and mask (batch, seq) it returns logits (batch, seq, width of the label layout)."""

    @abstractmethod
    def groups(self, config: TeachingConfig) -> list[dict[str, Any]]:
        """The optimizer's groups, each with its highest learning rate as `base_rate`."""


class EncoderTagger(Tagger):
    """A standard token classifier on an encoder with frozen word embeddings."""

    def __init__(self, config: TeachingConfig) -> None:
        """Raises: `TrainingError` when there is no encoder at `config.base` that reads so many tokens."""
        super().__init__()
        self.network: Any = load_network(_as_training(config), LabelLayout.standard())
        positions = getattr(self.network.config, "max_position_embeddings", config.max_tokens)
        if positions < config.max_tokens:
            raise TrainingError(f"{config.base} reads {positions} tokens; set max_tokens lower")

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        logits: Tensor = self.network(input_ids=ids, attention_mask=mask).logits
        return logits

    def groups(self, config: TeachingConfig) -> list[dict[str, Any]]:
        return parameter_groups(self.network, _as_training(config))


class CausalTagger(Tagger):
    """A causal model's blocks, every token seeing the whole text, and dropout before the linear layer."""

    def __init__(self, model: PreTrainedModel, layout: LabelLayout, *, dropout: float) -> None:
        super().__init__()
        self.body: Any = model.model
        self.body.embed_tokens.weight.requires_grad_(False)
        width = sum(len(columns) for columns in layout.columns.values())
        self.head = nn.Linear(self.body.config.hidden_size, width)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.drop = nn.Dropout(dropout)
        leak = torch.zeros(width, dtype=torch.bool)
        leak[list(layout.columns["leak"])] = True
        self.leak_columns: Tensor
        self.register_buffer("leak_columns", leak, persistent=False)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The first token's leak columns are the last token's: there the model has learned to sum up."""
        dtype = torch.bfloat16 if torch.is_autocast_enabled("cpu") else torch.float32
        rows, length = ids.shape
        unseen = torch.zeros(rows, 1, length, length, dtype=dtype)
        unseen.masked_fill_(mask[:, None, None, :] == 0, _MASKED)
        hidden = self.body(
            inputs_embeds=self.body.embed_tokens(ids), attention_mask=unseen, use_cache=False
        ).last_hidden_state
        logits: Tensor = self.head(self.drop(hidden))
        summing = logits[torch.arange(rows), mask.sum(1) - 1]
        first = torch.where(self.leak_columns, summing, logits[:, 0])
        return torch.cat([first.unsqueeze(1), logits[:, 1:]], dim=1)

    def groups(self, config: TeachingConfig) -> list[dict[str, Any]]:
        body = [parameter for parameter in self.body.parameters() if parameter.requires_grad]
        parts = [
            ([p for p in body if p.ndim > 1], config.rate, config.weight_decay),
            ([p for p in body if p.ndim < 2], config.rate, 0.0),
            (list(self.head.parameters()), config.head_rate, 0.0),
        ]
        return [
            {"params": params, "lr": rate, "base_rate": rate, "weight_decay": decay}
            for params, rate, decay in parts
        ]


class EncoderReader:
    """Reads with an encoder's own tokenizer."""

    def __init__(self, tokenizer: Tokenizer, *, padding: int) -> None:
        """Raises: `TrainingError` when the tokenizer puts no tokens around a text."""
        self._tokenizer = tokenizer
        # A control token's name in a text is text: looked for in the vocabulary it would be the token itself.
        self._tokenizer.encode_special_tokens = True
        if len(tokenizer.encode("").ids) < 2:
            raise TrainingError("a tagger needs an encoder that puts a token before and after a text")
        self.start, self.end = boundary_ids(tokenizer)
        self.padding = padding

    def with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """As `Reader` says."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return encoding.ids, encoding.offsets


class CausalReader:
    """Reads with the tokenizer of a causal model that knows ChatML's control tokens."""

    def __init__(self, tokenizer: SegmentTokenizer) -> None:
        """Raises: `ConfigError` when the vocabulary is not ChatML's."""
        self._tokenizer = tokenizer
        self.start, self.end = tokenizer.control(_START), tokenizer.control(_END)
        self.padding = self.end

    def with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """As `Reader` says."""
        return self._tokenizer.with_offsets(text)


class Base:
    """The model that taggers are made of."""

    def __init__(self, config: TeachingConfig) -> None:
        """Raises: `TrainingError`, and what finding and reading a GGUF file raises."""
        self._config = config
        self._file = None if is_encoder(config.base) else find_base(config.base)
        self._reader = self._make()[1]  # made here once, so that a mistake shows before anything is written
        weights = self._file or _weights_of(config.base)
        self.sha256 = sha256_of(weights) if weights else None
        """Of the weights, where they are one file of this machine."""

    def tagger(self) -> tuple[Tagger, Reader]:
        """A fresh tagger and what reads texts for it."""
        tagger, _ = self._make()
        torch.manual_seed(self._config.seed)
        return tagger, self._reader

    def _make(self) -> tuple[Tagger, Reader]:
        torch.manual_seed(self._config.seed)
        if self._file is None:
            encoder = EncoderTagger(self._config)
            _check_sight(encoder, self._config.base)
            padding = encoder.network.config.pad_token_id
            return encoder, EncoderReader(load_tokenizer(self._config.base), padding=int(padding or 0))
        base = read_gguf(self._file)
        reader = CausalReader(SegmentTokenizer(base.metadata))
        layout = LabelLayout.standard()
        return CausalTagger(to_torch(base), layout, dropout=self._config.dropout), reader


def _check_sight(tagger: EncoderTagger, base: str) -> None:
    """Raises: `TrainingError` when a token does not see those after it, as in a causal model."""
    ids = torch.tensor([[1, 2, 3], [1, 2, 4]])
    with torch.inference_mode():
        seen = tagger.eval()(ids, torch.ones_like(ids))
    if torch.equal(seen[0, 0], seen[1, 0]):
        raise TrainingError(
            f"{base} is no encoder, its tokens do not see what follows; give a causal model as a GGUF file"
        )


def _weights_of(base: str) -> Path | None:
    """The file of an encoder's weights, in its folder or in the hub's cache."""
    from transformers.utils import cached_file

    try:
        found = cached_file(base, "model.safetensors")
    except OSError:
        return None
    return Path(found) if found else None


def _as_training(config: TeachingConfig) -> TrainingConfig:
    """The settings that an encoder's training has too."""
    return TrainingConfig(
        base=config.base,
        data=config.data,
        out=config.out,
        encoder_rate=config.rate,
        head_rate=config.head_rate,
        layer_decay=config.layer_decay,
        weight_decay=config.weight_decay,
        dropout=config.dropout,
        attention_dropout=config.dropout,
    )
