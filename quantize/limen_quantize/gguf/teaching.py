"""Trains a causal model as a tagger and has it answer texts, for `limen quantize train` to learn from.

Training starts anew after a kill; once `tagger.safetensors` is there, only the answers are made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from pydantic import BaseModel
from safetensors.torch import load_file, save_file

from limen_daemon.detector.decode import DecodingRules
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answer_file import GivenAnswer, write_answers
from limen_quantize.answers import Answer
from limen_quantize.batches import bucketed
from limen_quantize.config import source_weight
from limen_quantize.encoding import Encoded
from limen_quantize.errors import TrainingError
from limen_quantize.gguf.bases import find_base
from limen_quantize.gguf.reading import read_gguf, to_torch
from limen_quantize.gguf.tagger import Tagger, Windows, answer_texts
from limen_quantize.gguf.teaching_config import TeachingConfig
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.member import schedule, times_seen
from limen_quantize.network import Heads, tensors
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.record import RECORD_NAME, DataFile, now, sha256_of, versions, write_record
from limen_quantize.rules import choose_rules
from limen_quantize.scores import Scores
from limen_quantize.split import split
from limen_quantize.training_run import load_data

ANSWERS_NAME = "answers.npz"
WEIGHTS_NAME = "tagger.safetensors"
_GRADIENT_NORM = 1.0
_TRAINING_SHARE = 0.8
"""Of the time; the rest goes into answering."""

Report = Callable[[float, str], None]


class TeachingRecord(BaseModel):
    """What a tagger was trained on, and how well it does on held-out training queries."""

    state: Literal["started", "finished"] = "started"
    started_at: str
    finished_at: str | None = None
    config: TeachingConfig
    base_sha256: str
    data: tuple[DataFile, ...]
    n_train: int
    n_held_out: int
    versions: dict[str, str]
    held_out: dict[Language, Scores] = {}
    decoding: DecodingRules = DecodingRules()
    answers_sha256: str | None = None


def teach(config: TeachingConfig, report: Report) -> dict[Language, Scores]:
    """Train, score on the held-out queries, answer all others; returns the scores.

    To the texts that it was trained on the tagger mostly repeats their annotation, more softly.
    Raises: `DataError`, `TrainingError` (also when `config.out` holds a run with another configuration), and
    what reading the base model raises.
    """
    config.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(config.threads)
    queries, files = load_data(config.data)
    kept, held_out = (
        [query for query in part if query.language in config.languages]
        for part in split(queries, config.holdout)
    )
    if not kept:
        raise TrainingError("There is no query to learn from in these languages; see the setting languages.")
    base_path = find_base(config.base)
    record = _record(config, base_path, files, n_train=len(kept), n_held_out=len(held_out))
    base = read_gguf(base_path)
    tokenizer = SegmentTokenizer(base.metadata)
    torch.manual_seed(config.seed)
    tagger = Tagger(to_torch(base), LabelLayout.standard(), dropout=config.dropout)
    bfloat16 = config.bfloat16 and bfloat16_is_faster()
    weights = config.out / WEIGHTS_NAME
    if not weights.is_file():
        _train(tagger, Windows(tokenizer, max_tokens=config.max_tokens), kept, config, bfloat16, report)
        part = weights.with_suffix(".part")
        save_file({name: value.bfloat16() for name, value in tagger.state_dict().items()}, part)
        part.replace(weights)
    # Always from the file, or a run that goes on would answer otherwise than one that was not broken off.
    tagger.load_state_dict({name: value.float() for name, value in load_file(weights).items()})

    def answer(texts: Sequence[str]) -> list[GivenAnswer]:
        return answer_texts(
            tagger,
            tokenizer,
            texts,
            max_tokens=config.max_tokens,
            bfloat16=bfloat16,
            report=lambda done: report(
                _TRAINING_SHARE + (1.0 - _TRAINING_SHARE) * done, f"answering {len(texts)} texts"
            ),
        )

    if held_out:
        given = answer([query.text for query in held_out])
        answers = [as_answer(query, one) for query, one in zip(held_out, given, strict=True)]
        record.decoding, record.held_out = choose_rules(answers, LabelLayout.standard())
    texts = sorted({query.text for query in kept})
    write_answers(config.out / ANSWERS_NAME, dict(zip(texts, answer(texts), strict=True)))
    record.state, record.finished_at = "finished", now()
    record.answers_sha256 = sha256_of(config.out / ANSWERS_NAME)
    write_record(record, config.out)
    return record.held_out


def _record(
    config: TeachingConfig, base: Path, files: tuple[DataFile, ...], *, n_train: int, n_held_out: int
) -> TeachingRecord:
    record = TeachingRecord(
        started_at=now(),
        config=config,
        base_sha256=sha256_of(base),
        data=files,
        n_train=n_train,
        n_held_out=n_held_out,
        versions=versions(),
    )
    path = config.out / RECORD_NAME
    if path.is_file():
        earlier = TeachingRecord.model_validate_json(path.read_bytes())
        if (earlier.config, earlier.base_sha256) != (config, record.base_sha256):
            raise TrainingError(f"{config.out} holds a run with other settings; choose another --out")
        if earlier.data != files:
            raise TrainingError(f"the data has changed since the run in {config.out}; choose another --out")
        record.started_at = earlier.started_at
    elif (config.out / WEIGHTS_NAME).exists():
        raise TrainingError(f"{config.out} holds weights of an unknown run; choose another --out")
    write_record(record, config.out)
    return record


def _train(
    tagger: Tagger,
    windows: Windows,
    kept: Sequence[AnnotatedQuery],
    config: TeachingConfig,
    bfloat16: bool,
    report: Report,
) -> None:
    rng = random.Random(config.seed)  # noqa: S311 (no secret depends on it)
    batches = [batch for _ in range(config.epochs) for batch in _epoch(windows, kept, config, rng)]
    optimizer = _optimizer(tagger, config)
    heads = Heads(LabelLayout.standard(), config.loss)
    smooth = 0.0
    for step, batch in enumerate(batches):
        tagger.train()
        for group in optimizer.param_groups:
            group["lr"] = group["base_rate"] * schedule(step / len(batches), config.warm_up)
        made = tensors(batch, padding_id=windows.end)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits = tagger(made["input_ids"], made["attention_mask"])
        loss = heads(logits.float(), made)
        value = float(loss.detach())
        if not np.isfinite(value):
            raise TrainingError(f"The loss is no number at step {step + 1}; try a lower rate.")
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tagger.parameters(), _GRADIENT_NORM)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        smooth = 0.95 * smooth + 0.05 * value if step else value
        done = _TRAINING_SHARE * (step + 1) / len(batches)
        report(done, f"step {step + 1} of {len(batches)}, loss {smooth:.3f}")


def _epoch(
    windows: Windows, kept: Sequence[AnnotatedQuery], config: TeachingConfig, rng: random.Random
) -> list[list[Encoded]]:
    seen = [
        window
        for query in kept
        for _ in range(times_seen(source_weight(query, config.source_weights), rng))
        for window in windows.encode(query)
    ]
    return bucketed(seen, batch_tokens=config.batch_tokens, batch_queries=config.batch_queries, rng=rng)


def _optimizer(tagger: Tagger, config: TeachingConfig) -> torch.optim.AdamW:
    body = [parameter for parameter in tagger.body.parameters() if parameter.requires_grad]
    groups = [
        ([p for p in body if p.ndim > 1], config.rate, config.weight_decay),
        ([p for p in body if p.ndim < 2], config.rate, 0.0),
        (list(tagger.head.parameters()), config.head_rate, 0.0),
    ]
    return torch.optim.AdamW(
        [
            {"params": params, "lr": rate, "base_rate": rate, "weight_decay": decay}
            for params, rate, decay in groups
        ],
        fused=True,
    )


def as_answer(query: AnnotatedQuery, given: GivenAnswer) -> Answer:
    """A text's answer in the form that scores are made from; heads other than tag and leak say nothing."""
    columns = LabelLayout.standard().columns
    width = sum(len(own) for own in columns.values())
    logits = np.zeros((len(given.ranges) + 2, width), dtype=np.float32)
    logits[1:-1, list(columns["tag"])] = np.log(np.maximum(given.tags, 1e-9))
    logits[0, list(columns["leak"])] = np.log(np.clip([1.0 - given.leak, given.leak], 1e-9, 1.0))
    return Answer(query, logits, [(0, 0), *((int(a), int(b)) for a, b in given.ranges), (0, 0)])
