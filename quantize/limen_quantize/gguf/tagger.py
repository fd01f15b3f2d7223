"""A causal language model as a tagger: every token sees the whole text, and one linear layer reads them.

Small causal models have read far more text than encoders of their size, and tag well once the causal mask is
off (Li et al. 2023, "Label supervised LLaMA finetuning"). Too slow to type along with, they can teach.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answer_file import N_TAGS, TextAnswer
from limen_quantize.encoding import IGNORED, SPAN_HEADS, Encoded, token_labels
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.queries import AnnotatedQuery

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_MASKED = -1e4
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

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Logits (batch, seq, width) of ids and mask (batch, seq). Every token sees every other one."""
        kind = torch.bfloat16 if torch.is_autocast_enabled("cpu") else torch.float32
        rows, length = ids.shape
        unseen = torch.zeros(rows, 1, length, length, dtype=kind)
        unseen.masked_fill_(mask[:, None, None, :] == 0, _MASKED)
        hidden = self.body(
            inputs_embeds=self.body.embed_tokens(ids), attention_mask=unseen, use_cache=False
        ).last_hidden_state
        logits: Tensor = self.head(self.drop(hidden))
        return logits


class Windows:
    """Cuts texts into windows of tokens: start, inner tokens, end. The last token tells whether it leaks."""

    def __init__(self, tokenizer: SegmentTokenizer, *, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self._room = max_tokens - 2
        self.start, self.end = tokenizer.control(_START), tokenizer.control(_END)

    def parts(self, n_tokens: int) -> list[tuple[int, int]]:
        """Ranges of inner tokens; neighbours overlap by a quarter."""
        step = self._room - self._room // 4
        last = max(0, n_tokens - self._room + step - 1) // step
        return [(i * step, min(i * step + self._room, n_tokens)) for i in range(last + 1)]

    def encode(self, query: AnnotatedQuery) -> list[Encoded]:
        """The windows of a query with their labels."""
        ids, offsets = self._tokenizer.with_offsets(query.text)
        tags, spans = token_labels(query.text, offsets, query.phrases)
        return [
            Encoded(
                ids=[self.start, *ids[begin:end], self.end],
                tags=[IGNORED, *tags[begin:end], IGNORED],
                spans={head: [IGNORED, *spans[head][begin:end], IGNORED] for head in SPAN_HEADS},
                leak=int(any(tag > 0 for tag in tags[begin:end])),
            )
            for begin, end in self.parts(len(ids))
        ]


def answer_texts(
    tagger: Tagger, tokenizer: SegmentTokenizer, texts: Sequence[str], *, max_tokens: int, bfloat16: bool
) -> list[TextAnswer]:
    """What the tagger says of each text. A token in two windows has the answer of the one that reads further
    on both sides; a long text leaks as much as its likeliest window."""
    windows = Windows(tokenizer, max_tokens=max_tokens)
    columns = LabelLayout.standard().columns
    read = [tokenizer.with_offsets(text) for text in texts]
    rows = [(n, part) for n, (ids, _) in enumerate(read) for part in windows.parts(len(ids))]
    rows.sort(key=lambda row: row[1][1] - row[1][0])
    tags = [np.zeros((len(ids), N_TAGS), dtype=np.float32) for ids, _ in read]
    nearest = [np.full(len(ids), -1) for ids, _ in read]
    leaks = [0.0] * len(texts)
    tagger.eval()
    for at in range(0, len(rows), 12):
        chunk = rows[at : at + 12]
        longest = max(end - begin for _, (begin, end) in chunk) + 2
        ids = torch.full((len(chunk), longest), windows.end)
        mask = torch.zeros(len(chunk), longest, dtype=torch.long)
        for row, (n, (begin, end)) in enumerate(chunk):
            ids[row, : end - begin + 2] = torch.tensor([windows.start, *read[n][0][begin:end], windows.end])
            mask[row, : end - begin + 2] = 1
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits = tagger(ids, mask).float()
        of_tags = torch.softmax(logits[:, :, list(columns["tag"])], -1).numpy()
        of_leak = torch.softmax(logits[:, :, list(columns["leak"])], -1)[:, :, 1].numpy()
        for row, (n, (begin, end)) in enumerate(chunk):
            size = end - begin
            leaks[n] = max(leaks[n], float(of_leak[row, size + 1]))
            context = np.minimum(np.arange(size), np.arange(size)[::-1])
            better = context > nearest[n][begin:end]
            tags[n][begin:end][better] = of_tags[row, 1 : size + 1][better]
            nearest[n][begin:end][better] = context[better]
    return [
        TextAnswer(np.array(offsets, dtype=np.int32).reshape(-1, 2), tags[n], leaks[n])
        for n, (_, offsets) in enumerate(read)
    ]
