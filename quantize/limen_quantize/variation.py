"""Writes variants of queries: words, names and numbers exchanged for others, the sentences left standing.

A small network learns a large one's reading the better the more texts the large one has answered (Jiao et al.
2020, "TinyBERT", section 3.3), and variants of real queries look more like them than anything written for the
purpose. What a variant says is often odd; nobody annotates it, the large network answers what stands there.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from limen_quantize.config import source_weight
from limen_quantize.errors import DataError, TrainingError
from limen_quantize.member import times_seen
from limen_quantize.readers.unannotated import SEPARATOR
from limen_quantize.split import split
from limen_quantize.training_run import load_data

Neighbours = Mapping[str, Sequence[str]]
"""For a word in lower case the words most like it, nearest first."""


Share = Annotated[float, Field(ge=0, le=1)]


class VariationConfig(BaseModel):
    """Everything that variants depend on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoder: str
    """Whose word embeddings say which words are alike: a folder or a hub name. One whose pieces are whole
    English words, all-mpnet-base-v2 for instance."""
    data: tuple[str, ...] = Field(min_length=1)
    out: Path
    holdout: float = Field(default=0.1, ge=0, lt=0.5)
    """As in the training that will learn from them; of what is held out there is no variant."""
    source_weights: dict[str, float] = Field(default_factory=dict)
    """How many variants of a query of a source, as in `TrainingConfig`; one when not named."""
    share: tuple[Share, Share] = (0.15, 0.5)
    """Of a query's words, names and numbers, exchanged: drawn evenly between the two for each variant."""
    seed: int = 0


N_NEIGHBOURS = 12
_LEAST_LIKE = 0.3
"""Below this cosine two words have hardly anything in common."""
_BLOCK = 512
_SHORTEST = 3
_FUNCTION_WORDS = 150
"""So many of the commonest words of the texts hold the sentences together and stay."""
_PART = re.compile(r"[A-Za-z]+|[0-9]+")
_WORD = re.compile(r"[a-z]+")


def write_variants(config: VariationConfig) -> int:
    """Write variants of the English queries into `config.out`, as `readers.unannotated` reads them; returns
    how many.

    Words with neighbours are few in other languages' pieces, and Chinese has no words to exchange so simply.
    Raises: `DataError`, `TrainingError`.
    """
    queries, _ = load_data(config.data)
    kept = [query for query in split(queries, config.holdout)[0] if query.language == "en"]
    texts = [query.text for query in kept]
    neighbours = neighbours_in(config.encoder, texts)
    names = names_in(texts, neighbours)
    rng = random.Random(config.seed)  # noqa: S311 (no secret depends on it)
    variants = {
        vary(query.text, neighbours, names, share=rng.uniform(*config.share), rng=rng)
        for query in kept
        if not SEPARATOR.search(query.text)
        for _ in range(times_seen(source_weight(query, config.source_weights), rng))
    } - {query.text for query in queries}
    if not variants:
        raise DataError("There is no English query in which a word could be exchanged.")
    ordered = sorted(variants)
    rng.shuffle(ordered)
    config.out.parent.mkdir(parents=True, exist_ok=True)
    config.out.write_text("\n%%\n".join(ordered) + "\n", encoding="utf-8")
    return len(ordered)


def neighbours_in(encoder: str, texts: Iterable[str]) -> Neighbours:
    """Which words of the texts are alike by the word embeddings of an encoder.

    Only words that are one piece of its vocabulary have any. Raises: `TrainingError` without an encoder.
    """
    from transformers import AutoModel, AutoTokenizer

    try:
        pieces: dict[str, int] = AutoTokenizer.from_pretrained(encoder).get_vocab()
        embeddings = AutoModel.from_pretrained(encoder).get_input_embeddings().weight.detach().float().numpy()
    except (OSError, ValueError) as error:
        raise TrainingError(f"{encoder}: no encoder could be loaded from there") from error
    begins = "\u2581" if any(piece.startswith("\u2581") for piece in pieces) else ""
    texts = list(texts)
    function_words = _function_words(texts)
    found = {word for text in texts for word in _WORD.findall(text.lower())} - function_words
    words = [word for word in sorted(found) if len(word) >= _SHORTEST and begins + word in pieces]
    if not words:
        return {}
    rows = embeddings[[pieces[begins + word] for word in words]]
    return nearest(words, rows)


def nearest(words: Sequence[str], rows: npt.NDArray[np.float32]) -> Neighbours:
    """The neighbours of each word by the cosine of its row (words, width) about the mean row."""
    centred = rows - rows.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    found: dict[str, Sequence[str]] = {}
    for begin in range(0, len(words), _BLOCK):
        block = centred[begin : begin + _BLOCK] @ centred.T
        for at, like in enumerate(block, start=begin):
            like[at] = -1.0
            enough = np.flatnonzero(like >= _LEAST_LIKE)
            order = enough[np.argsort(-like[enough])][:N_NEIGHBOURS]
            if len(order):
                found[words[at]] = [words[int(other)] for other in order]
    return found


def names_in(texts: Iterable[str], known: Neighbours) -> list[str]:
    """Capitalized words within sentences, no function words and without neighbours: mostly names."""
    within = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
    texts = list(texts)
    function_words = _function_words(texts)
    return sorted(
        {
            name
            for text in texts
            for name in within.findall(text)
            if name.lower() not in known and name.lower() not in function_words
        }
    )


def _function_words(texts: Iterable[str]) -> set[str]:
    common = Counter(word for text in texts for word in _WORD.findall(text.lower()))
    return {word for word, _ in common.most_common(_FUNCTION_WORDS)}


def vary(text: str, neighbours: Neighbours, names: Sequence[str], *, share: float, rng: random.Random) -> str:
    """`text` with a `share` of its words, names and numbers exchanged, in the case that they have."""

    known_names = set(names)

    def other(match: re.Match[str]) -> str:
        part = match.group()
        if rng.random() >= share:
            return part
        if part.isdigit():
            return rng.choice("123456789") + "".join(rng.choice("0123456789") for _ in part[1:])
        near = neighbours.get(part.lower())
        if near:
            return _in_case_of(part, rng.choice(near))
        if part in known_names:
            return rng.choice(names)
        return part

    return _PART.sub(other, text)


def _in_case_of(model: str, word: str) -> str:
    if model.isupper():
        return word.upper()
    return word.capitalize() if model[0].isupper() else word
