"""A causal language model as a tagger: every token sees the whole text, and one linear layer reads them.

Small causal models have read far more text than encoders of their size, and tag well once the causal mask is
off (Li et al. 2023, "Label supervised LLaMA finetuning"). Too slow to type along with, they can teach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from limen_daemon.detector.layout import LabelLayout
from limen_daemon.detector.windows import windows_of
from limen_quantize.answer_file import N_TAGS, GivenAnswer
from limen_quantize.encoding import Encoded, token_labels, windows_from
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.queries import AnnotatedQuery

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_MASKED = -1e4
_BATCH = 12
_START, _END = "<|im_start|>", "<|im_end|>"


class Tagger(nn.Module):
    """The model's blocks with a fresh linear layer as wide as the label layout, and dropout before it."""

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
        """Logits (batch, seq, width) of ids and mask (batch, seq). Every token sees every other one.

        The first token's leak columns are the last token's: there the causal model has learned to sum up.
        """
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


class Windows:
    """Cuts texts into windows of tokens: start, inner tokens, end."""

    def __init__(self, tokenizer: SegmentTokenizer, *, max_tokens: int) -> None:
        """Raises: `ConfigError` when the model's vocabulary is not ChatML's."""
        self._tokenizer = tokenizer
        self.room = max_tokens - 2
        self.start, self.end = tokenizer.control(_START), tokenizer.control(_END)

    def encode(self, query: AnnotatedQuery) -> list[Encoded]:
        """The windows of a query with their labels."""
        ids, offsets = self._tokenizer.with_offsets(query.text)
        labels = token_labels(query.text, offsets, query.phrases)
        return windows_from(ids, labels, room=self.room, start_id=self.start, end_id=self.end)


def answer_texts(
    tagger: Tagger,
    tokenizer: SegmentTokenizer,
    texts: Sequence[str],
    *,
    max_tokens: int,
    bfloat16: bool,
    report: Callable[[float], None] = lambda _: None,
) -> list[GivenAnswer]:
    """What the tagger says of each text; a long text leaks as much as its likeliest window.

    `report` is called with the share done.
    """
    cut = Windows(tokenizer, max_tokens=max_tokens)
    columns = LabelLayout.standard().columns
    read = [tokenizer.with_offsets(text) for text in texts]
    rows = [
        (n, window)
        for n, (ids, _) in enumerate(read)
        for window in windows_of(len(ids), size=cut.room, overlap=cut.room // 4)
    ]
    rows.sort(key=lambda row: row[1].end - row[1].begin)
    tags = [np.zeros((len(ids), N_TAGS), dtype=np.float32) for ids, _ in read]
    leaks = np.zeros(len(texts), dtype=np.float32)
    tagger.eval()
    for at in range(0, len(rows), _BATCH):
        chunk = rows[at : at + _BATCH]
        longest = max(window.end - window.begin for _, window in chunk) + 2
        ids = torch.full((len(chunk), longest), cut.end)
        mask = torch.zeros(len(chunk), longest, dtype=torch.long)
        for row, (n, window) in enumerate(chunk):
            inner = read[n][0][window.begin : window.end]
            ids[row, : len(inner) + 2] = torch.tensor([cut.start, *inner, cut.end])
            mask[row, : len(inner) + 2] = 1
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
