"""Supervised fine-tuning of a GGUF base model on annotated queries."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import nn
from tqdm import tqdm

from limen_daemon.detector.generative.instructions import FRAMES, NO, YES, Form, Segment
from limen_quantize.errors import TrainingError
from limen_quantize.gguf import checkpoints
from limen_quantize.gguf.adapters import merge, prepare
from limen_quantize.gguf.bases import find_base
from limen_quantize.gguf.batching import Batch, batches, collate, plan
from limen_quantize.gguf.conversations import IGNORED, Example, conversation, encode, examples
from limen_quantize.gguf.reading import read_gguf, to_torch
from limen_quantize.gguf.run_record import RunRecord, Score, new_record
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.gguf.tuning_config import TUNED_NAME, TuningConfig
from limen_quantize.gguf.writing import state_of, write_gguf
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.readers import read

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_VALIDATION_BATCHES = 16


class Split(NamedTuple):
    """Examples for training and held-back queries."""

    training: list[Example]
    held_back: list[AnnotatedQuery]
    left_out: int


def tune(config: TuningConfig, folder: Path, *, quiet: bool = False) -> Path:
    """Run (or go on with) the tuning that `config` describes; returns the tuned model as float16 GGUF.

    Raises: `TrainingError`, `DataError`, and what reading the base model raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(config.threads)
    base_path = find_base(config.base)
    base = read_gguf(base_path)
    tokenizer = SegmentTokenizer(base.metadata)
    split = _split(config, tokenizer)
    record = new_record(config, base_path)
    bfloat16 = _computes_in_bfloat16(folder, record)
    model = to_torch(base)
    named = prepare(model, config, bfloat16=bfloat16)
    record = record.model_copy(
        update={
            "bfloat16": bfloat16,
            "training_examples": len(split.training),
            "validation_examples": len(split.held_back),
            "left_out": split.left_out,
            "tuned_parameters": sum(parameter.numel() for _, parameter in named),
        }
    )
    record = _train(model, named, split, tokenizer, record, folder, quiet=quiet)
    record.finished = datetime.now(UTC)
    record.write(folder)
    return write_gguf(base, state_of(merge(model)), folder / TUNED_NAME, name=f"limen-{folder.name}")


def _computes_in_bfloat16(folder: Path, record: RunRecord) -> bool:
    """A run that goes on keeps what it was begun in: its weights are those of an unbroken one."""
    earlier = folder / "run.json"
    if earlier.is_file():
        begun = RunRecord.model_validate_json(earlier.read_text(encoding="utf-8"))
        if begun.fingerprint == record.fingerprint:
            return begun.bfloat16
    return record.config.bfloat16 and bfloat16_is_faster()


def _split(config: TuningConfig, tokenizer: SegmentTokenizer) -> Split:
    queries = [query for source in config.data for query in read(source, strict=config.strict)]
    rng = random.Random(config.seed)  # noqa: S311  # a reproducible split, nothing secret
    queries = [q for q in queries if q.language != "zh" or rng.random() < config.chinese_share]
    rng.shuffle(queries)
    count = round(config.validation * len(queries))
    made = list(
        examples(
            queries[count:],
            tokenizer,
            FRAMES[config.frame],
            seed=config.seed,
            alone=config.alone,
            phrases=config.phrases,
            leak_weight=config.leak_weight,
            max_tokens=config.max_tokens,
        )
    )
    if not made:
        raise TrainingError("No training query fits into max_tokens.")
    return Split(made, queries[:count], len(queries) - count - len(made))


def total_steps(config: TuningConfig, training: Sequence[Example]) -> int:
    """How many steps the whole run has."""
    lengths = [len(example.ids) for example in training]
    whole = int(config.epochs)
    per_epoch = [
        len(plan(lengths, batch_tokens=config.batch_tokens, seed=config.seed, epoch=epoch))
        for epoch in range(whole + 1)
    ]
    steps = sum(per_epoch[:whole]) + round((config.epochs - whole) * per_epoch[whole])
    return max(1, min(steps, config.max_steps or steps))


def rate_at(progress: float, config: TuningConfig) -> float:
    """The learning rate when `progress` (0 to 1) of the run is done: linear rise, then a half cosine down."""
    if progress < config.warm_up:
        return config.learning_rate * max(0.05, progress / config.warm_up)
    done = min(1.0, (progress - config.warm_up) / (1 - config.warm_up))
    span = config.learning_rate - config.final_learning_rate
    return config.final_learning_rate + span * 0.5 * (1 + math.cos(math.pi * done))


def answer_loss(model: PreTrainedModel, batch: Batch, *, bfloat16: bool) -> torch.Tensor:
    """Weighted cross-entropy of the answers, in nats per token. Logits are made at answer positions only."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bfloat16):
        hidden = model.model(input_ids=batch.ids, use_cache=False).last_hidden_state[:, :-1]
        labels, weights = batch.labels[:, 1:], batch.weights[:, 1:]
        answered = labels != IGNORED
        logits = model.lm_head(hidden[answered])
    losses = nn.functional.cross_entropy(logits.float(), labels[answered], reduction="none")
    chosen = weights[answered]
    return (losses * chosen).sum() / chosen.sum()


def _batches_from(
    step: int, config: TuningConfig, training: Sequence[Example], padding: int
) -> Iterator[Batch]:
    """Every batch after the first `step`, epoch after epoch."""
    seen = 0
    epoch = 0
    while True:
        for batch in batches(
            training, batch_tokens=config.batch_tokens, padding=padding, seed=config.seed, epoch=epoch
        ):
            seen += 1
            if seen > step:
                yield batch
        epoch += 1


def _train(
    model: PreTrainedModel,
    named: list[tuple[str, nn.Parameter]],
    split: Split,
    tokenizer: SegmentTokenizer,
    record: RunRecord,
    folder: Path,
    *,
    quiet: bool,
) -> RunRecord:
    config = record.config
    optimizer = torch.optim.AdamW(
        [parameter for _, parameter in named], lr=config.learning_rate, weight_decay=config.weight_decay
    )
    done = checkpoints.load(folder, named, optimizer, fingerprint=record.fingerprint)
    if done:
        earlier = RunRecord.model_validate_json((folder / "run.json").read_text(encoding="utf-8"))
        keep = earlier.model_dump(include={"started", "seconds", "training_tokens"})
        record = record.model_copy(update={**keep, "scores": [s for s in earlier.scores if s.step <= done]})
    record.write(folder)
    steps = total_steps(config, split.training)
    stream = _batches_from(done, config, split.training, tokenizer.end_of_text)
    losses: list[float] = []
    spent_s = record.seconds
    budget_s = math.inf if config.minutes is None else 60 * config.minutes
    if spent_s >= budget_s:
        return record
    model.train()
    for step in tqdm(range(done, steps), initial=done, total=steps, unit="step", disable=quiet):
        began = time.monotonic()
        batch = next(stream)
        torch.manual_seed(config.seed * 1_000_003 + step)  # dropout is the same after a resumption
        for group in optimizer.param_groups:
            group["lr"] = rate_at(max(step / steps, spent_s / budget_s), config)
        loss = answer_loss(model, batch, bfloat16=record.bfloat16)
        if not math.isfinite(loss.item()):
            raise TrainingError(f"The loss is not a number at step {step}; lower --learning-rate.")
        loss.backward()
        nn.utils.clip_grad_norm_([parameter for _, parameter in named], 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        record.training_tokens += batch.ids.numel()
        spent_s += time.monotonic() - began
        record.seconds = spent_s
        last = step + 1 == steps or spent_s >= budget_s
        record.steps = step + 1
        if last or record.steps % config.validate_every == 0:
            score = _score(model, split, tokenizer, record, losses)
            record.scores.append(score)
            losses.clear()
            if not quiet:
                tqdm.write(score.model_dump_json())
        if last or record.steps % config.save_every == 0:
            checkpoints.save(folder, named, optimizer, step=record.steps, fingerprint=record.fingerprint)
            record.write(folder)
        if last:
            break
    return record


@torch.no_grad()
def _score(
    model: PreTrainedModel,
    split: Split,
    tokenizer: SegmentTokenizer,
    record: RunRecord,
    losses: Sequence[float],
) -> Score:
    """Loss and leak accuracy on (some of) the held-back queries."""
    config = record.config
    model.eval()
    frame = FRAMES[config.frame]
    held = [
        example
        for query in split.held_back
        for example in [encode(conversation(query, _forms(query), frame), tokenizer)]
        if len(example.ids) <= config.max_tokens
    ]
    lengths = [len(example.ids) for example in held]
    chosen = plan(lengths, batch_tokens=config.batch_tokens, seed=0, epoch=0)[:_VALIDATION_BATCHES]
    sums, right, asked = 0.0, 0, 0
    yes, no = (tokenizer.encode([Segment(word, False)])[0] for word in (YES, NO))
    for indices in chosen:
        batch = collate([held[index] for index in indices], padding=tokenizer.end_of_text)
        sums += answer_loss(model, batch, bfloat16=record.bfloat16).item()
        first = (batch.labels != IGNORED).int().argmax(dim=1) - 1
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=record.bfloat16):
            hidden = model.model(input_ids=batch.ids, use_cache=False).last_hidden_state
            logits = model.lm_head(hidden[torch.arange(len(first)), first]).float()
        gold = batch.labels[torch.arange(len(first)), first + 1] == yes
        right += int(((logits[:, yes] > logits[:, no]) == gold).sum())
        asked += len(first)
    model.train()
    count = max(1, len(chosen))
    return Score(
        step=record.steps,
        training_loss=sum(losses) / max(1, len(losses)),
        validation_loss=sums / count,
        leak_accuracy=right / max(1, asked),
    )


def _forms(query: AnnotatedQuery) -> tuple[Form, ...]:
    return (Form.LEAK, Form.INFORMATION) if query.phrases else (Form.LEAK,)
