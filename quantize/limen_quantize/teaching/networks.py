"""Has trained networks answer texts together, for another one to learn from.

As teachers that run along they would see a text as disturbed as the student does, at the price of a pass each
for every batch; asked beforehand, several of them cost the training nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor, nn

from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answer_file import GivenAnswer, write_answers
from limen_quantize.distillation import load_teacher, weights_file
from limen_quantize.errors import DataError, TrainingError
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import Language
from limen_quantize.readers import read_unannotated
from limen_quantize.teaching.reading import answer_texts
from limen_quantize.teaching.run import mean
from limen_quantize.teaching.taggers import EncoderReader
from limen_quantize.training_run import load_data, load_tokenizer


class _Plain(nn.Module):
    """A network called with ids and mask, as `answer_texts` calls taggers."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        logits: Tensor = self.network(input_ids=ids, attention_mask=mask).logits
        return logits


def answer_with(
    networks: Sequence[Path],
    out: Path,
    *,
    data: Sequence[str],
    unannotated: Sequence[str],
    languages: Sequence[Language],
    max_tokens: int,
    report: Callable[[float], None] = lambda _: None,
) -> int:
    """Write into `out` the mean of what trained networks say of each text in `languages`; returns how many.

    The networks share their word pieces (folders of runs, networks or ONNX models). `report` is called with
    the share done. Raises: `TrainingError` for a network that cannot be loaded or has other labels or word
    pieces than the rest, `DataError` for data, also when it has no text in these languages.
    """
    queries, _ = load_data(data)
    queries += [query for file in unannotated for query in read_unannotated(Path(file))]
    texts = sorted({query.text for query in queries if query.language in languages})
    if not texts:
        raise DataError(f"There is no text in {', '.join(languages)} to answer.")
    out.parent.mkdir(parents=True, exist_ok=True)
    loaded = [load_teacher(folder) for folder in networks]
    labels = LabelLayout.standard().id2label()
    for folder, network in zip(networks, loaded, strict=True):
        if network.config.id2label != labels:
            raise TrainingError(f"{folder}: a network with other labels cannot answer")
    answers: list[list[GivenAnswer]] = []
    for number, (folder, network) in enumerate(zip(networks, loaded, strict=True)):
        tokenizer = load_tokenizer(str(_tokenizer_folder(folder)))
        answers.append(
            answer_texts(
                _Plain(network),
                EncoderReader(tokenizer, padding=int(network.config.pad_token_id)),
                texts,
                max_tokens=max_tokens,
                bfloat16=bfloat16_is_faster(),
                report=lambda done, number=number: report((number + done) / len(networks)),  # type: ignore[misc]
            )
        )
        if not _same_pieces(answers[0], answers[-1]):
            raise TrainingError(f"{folder}: its word pieces are not those of {networks[0]}")
    write_answers(out, {text: mean(own) for text, *own in zip(texts, *answers, strict=True)})
    return len(texts)


def _same_pieces(one: Sequence[GivenAnswer], other: Sequence[GivenAnswer]) -> bool:
    return all(np.array_equal(a.ranges, b.ranges) for a, b in zip(one, other, strict=True))


def _tokenizer_folder(folder: Path) -> Path:
    """A finished run keeps its tokenizer beside the network, other folders beside the weights."""
    return weights_file(folder).parent
