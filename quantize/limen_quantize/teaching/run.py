"""Trains taggers and has them answer texts, for `limen quantize train` to learn from.

A tagger's training starts anew after a kill; those whose weights are there are not trained again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from limen_quantize.averaging import average_weights, follow
from limen_quantize.batches import bucketed
from limen_quantize.choosing import choose
from limen_quantize.config import source_weight
from limen_quantize.encoding import Encoded
from limen_quantize.errors import DataError, TrainingError
from limen_quantize.folds import fold_of
from limen_quantize.member import schedule, times_seen
from limen_quantize.network import Heads, tensors
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import AnnotatedQuery, Language, key_of
from limen_quantize.readers import read_unannotated
from limen_quantize.readings import Readings
from limen_quantize.record import (
    RECORD_NAME,
    DataFile,
    LearnedFile,
    hashed,
    now,
    sha256_of,
    versions,
    write_record,
)
from limen_quantize.rules import score_with
from limen_quantize.scores import Scores
from limen_quantize.split import split
from limen_quantize.teaching.config import TeachingConfig, Unannotated
from limen_quantize.teaching.reading import Reader, Windows, answer_texts
from limen_quantize.teaching.taggers import Base, Tagger
from limen_quantize.training_run import load_data

ANSWERS_NAME = "answers.npz"
_GRADIENT_NORM = 1.0
_TRAINING_SHARE = 0.8
"""Of the time; the rest goes into answering."""

Report = Callable[[float, str], None]


def weights_name(fold: int, folds: int) -> str:
    """The file of the tagger that answers part `fold` (from 0) of `folds`; after the last, of the one that
    answers unannotated texts."""
    if fold == folds:
        return "tagger-united.safetensors"
    return "tagger.safetensors" if folds == 1 else f"tagger-{fold + 1}.safetensors"


class TeachingRecord(BaseModel):
    """What taggers were trained on, and how well their mean does on held-out training queries."""

    state: Literal["started", "finished"] = "started"
    started_at: str
    finished_at: str | None = None
    config: TeachingConfig
    base_sha256: str | None
    """Of the base model's weights, where they are a file of this machine."""
    data: tuple[DataFile, ...]
    second_readings: tuple[LearnedFile, ...] = ()
    n_train: int
    n_held_out: int
    parts: tuple[str, ...] = ()
    """For each part of the queries a hash of what it holds."""
    versions: dict[str, str]
    held_out: dict[Language, Scores] = {}
    held_out_unlike: dict[Language, Scores] = {}
    """On the held-out queries that resemble no query learned from; empty when all or too few do."""
    decoding: DecodingRules = DecodingRules()
    held_out_united: dict[Language, Scores] = {}
    """Scores of the mean of their weights, trained on, which answers unannotated texts."""
    unannotated: tuple[LearnedFile, ...] = ()
    answers_sha256: str | None = None


def teach(config: TeachingConfig, report: Report) -> dict[Language, Scores]:
    """Train the taggers, score their mean answer to the held-out queries, have them answer all others.

    With one fold the tagger answers what it was trained on, mostly by repeating the annotation more softly.
    Returns the scores.
    Raises: `DataError`, `TrainingError` (also when `config.out` holds a run with another configuration), and
    what reading the base model raises.
    """
    torch.set_num_threads(config.threads)
    queries, files = load_data(config.data)
    kept, held_out = (
        [query for query in part if query.language in config.languages]
        for part in split(queries, config.holdout)
    )
    if not any(source_weight(query, config.source_weights) > 0 for query in kept):
        raise TrainingError("There is no query to learn from; see the settings languages and source_weights.")
    unread = _texts(config.unannotated, config.languages) if config.unannotated else set()
    parts = _parts(kept, config)
    readings = Readings(config.second_reading) if config.second_reading else None
    bfloat16 = config.bfloat16 and bfloat16_is_faster()
    run = _Run(config, Base(config), readings, bfloat16, report)
    record = _record(run, files, parts, n_held_out=len(held_out))
    answers: dict[str, GivenAnswer] = {}
    opinions: list[list[GivenAnswer]] = []
    for number, part in enumerate(parts):
        others = [query for other in parts if other is not part for query in other]
        one = _One(run, number)
        one.train(others or part)
        texts = sorted({query.text for query in part})
        answers |= zip(texts, one.answer(texts), strict=True)
        opinions.append(one.answer([query.text for query in held_out]))
    if held_out:
        said = [as_answer(query, mean(own)) for query, *own in zip(held_out, *opinions, strict=True)]
        record.decoding, record.held_out, record.held_out_unlike = choose(said, kept)
    if config.unannotated:
        united = _united(run, kept, config.unannotated)
        texts = sorted(unread - answers.keys())
        answers |= zip(texts, united.answer(texts), strict=True)
        if held_out:
            record.held_out_united = _scored(united, held_out, record.decoding)
    write_answers(config.out / ANSWERS_NAME, answers)
    record.state, record.finished_at = "finished", now()
    record.answers_sha256 = sha256_of(config.out / ANSWERS_NAME)
    write_record(record, config.out)
    return record.held_out


def _scored(one: _One, held_out: Sequence[AnnotatedQuery], rules: DecodingRules) -> dict[Language, Scores]:
    answers = one.answer([query.text for query in held_out])
    said = [as_answer(query, answer) for query, answer in zip(held_out, answers, strict=True)]
    return score_with(said, LabelLayout.standard(), rules)


def _texts(unannotated: Unannotated, languages: Sequence[Language]) -> set[str]:
    """Raises: `DataError` for a file that cannot be used, and when none has a text in `languages`."""
    queries = (query for file in unannotated.files for query in read_unannotated(Path(file)))
    texts = {query.text for query in queries if query.language in languages}
    if not texts:
        raise DataError(f"The unannotated files hold no text in {', '.join(languages)}.")
    return texts


def _parts(kept: Sequence[AnnotatedQuery], config: TeachingConfig) -> list[list[AnnotatedQuery]]:
    fold = fold_of(kept, config.folds, seed=config.seed)
    return [
        [query for query, own in zip(kept, fold, strict=True) if own == number]
        for number in range(config.folds)
    ]


def mean(answers: Sequence[GivenAnswer]) -> GivenAnswer:
    """The mean of several taggers' answers to one text, in equal tokens."""
    first = answers[0]
    return GivenAnswer(
        first.ranges,
        np.mean([answer.tags for answer in answers], axis=0, dtype=np.float32),
        float(np.mean([answer.leak for answer in answers])),
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run's taggers have in common."""

    config: TeachingConfig
    base: Base
    readings: Readings | None
    bfloat16: bool
    report: Report


class _One:
    """One of a run's taggers: trained, kept in a file, asked."""

    def __init__(self, run: _Run, number: int) -> None:
        self._run = run
        self._number = number
        self._weights = run.config.out / weights_name(number, run.config.folds)
        self._tagger, self._reader = run.base.tagger()

    def train(self, learned: Sequence[AnnotatedQuery], *, began_with: Sequence[Path] = ()) -> None:
        """Train on `learned` unless the weights are there; from the mean of the weights in `began_with`."""
        weights = self._weights
        if not weights.is_file():
            if began_with:
                self._tagger.load_state_dict(average_weights([_loaded(file) for file in began_with]))
            if self._run.config.epochs:
                _train(self._tagger, self._reader, learned, self._run, self._told_training)
            part = weights.with_suffix(".part")
            save_file({name: value.bfloat16() for name, value in self._tagger.state_dict().items()}, part)
            part.replace(weights)
        # Always from the file, or a run that goes on would answer otherwise than one that was not broken off.
        self._tagger.load_state_dict(_loaded(weights))

    def answer(self, texts: Sequence[str]) -> list[GivenAnswer]:
        """What this tagger says of texts."""
        return answer_texts(
            self._tagger,
            self._reader,
            texts,
            max_tokens=self._run.config.max_tokens,
            bfloat16=self._run.bfloat16,
            report=lambda done: self._told(
                _TRAINING_SHARE + (1.0 - _TRAINING_SHARE) * done, f"answering {len(texts)} texts"
            ),
        )

    def _told_training(self, done: float, state: str) -> None:
        self._told(_TRAINING_SHARE * done, state)

    def _told(self, done: float, state: str) -> None:
        config = self._run.config
        taggers = config.folds + (config.unannotated is not None)
        label = f"tagger {self._number + 1} of {taggers}, " if taggers > 1 else ""
        self._run.report((self._number + done) / taggers, label + state)


def _loaded(weights: Path) -> dict[str, torch.Tensor]:
    return {name: value.float() for name, value in load_file(weights).items()}


def _united(run: _Run, kept: Sequence[AnnotatedQuery], settings: Unannotated) -> _One:
    """The mean of all folds' weights, trained on all queries for a while; it answers unannotated texts."""
    config = run.config
    changed = config.model_copy(
        update={
            "epochs": settings.epochs,
            "rate": settings.rate,
            "head_rate": settings.head_rate,
            "seed": config.seed + config.folds,
        }
    )
    one = _One(replace(run, config=changed), config.folds)
    folds = [config.out / weights_name(fold, config.folds) for fold in range(config.folds)]
    one.train(kept, began_with=folds)
    return one


def _record(
    run: _Run,
    files: tuple[DataFile, ...],
    parts: Sequence[Sequence[AnnotatedQuery]],
    *,
    n_held_out: int,
) -> TeachingRecord:
    config = run.config
    config.out.mkdir(parents=True, exist_ok=True)
    record = TeachingRecord(
        started_at=now(),
        config=config,
        base_sha256=run.base.sha256,
        data=files,
        second_readings=hashed(config.second_reading.files if config.second_reading else ()),
        unannotated=hashed(config.unannotated.files if config.unannotated else ()),
        n_train=sum(map(len, parts)),
        n_held_out=n_held_out,
        parts=tuple(key_of(" ".join(sorted(key_of(query.text) for query in part))) for part in parts),
        versions=versions(),
    )
    path = config.out / RECORD_NAME
    if path.is_file():
        earlier = TeachingRecord.model_validate_json(path.read_bytes())
        if (earlier.config, earlier.base_sha256) != (config, record.base_sha256):
            raise TrainingError(f"{config.out} holds a run with other settings; choose another --out")
        read = (files, record.second_readings, record.unannotated)
        if (earlier.data, earlier.second_readings, earlier.unannotated) != read:
            raise TrainingError(f"the data has changed since the run in {config.out}; choose another --out")
        if earlier.parts != record.parts:
            raise TrainingError(f"{config.out} holds a run of another version of Limen; choose another --out")
        record.started_at = earlier.started_at
    elif any(config.out.glob("tagger*.safetensors")):
        raise TrainingError(f"{config.out} holds weights of an unknown run; choose another --out")
    write_record(record, config.out)
    return record


def _train(
    tagger: Tagger, reader: Reader, learned: Sequence[AnnotatedQuery], run: _Run, report: Report
) -> None:
    config = run.config
    rng = random.Random(config.seed)  # noqa: S311 (no secret depends on it)
    windows = Windows(reader, max_tokens=config.max_tokens)
    batches = [batch for _ in range(config.epochs) for batch in _epoch(windows, learned, run, rng)]
    if not batches:
        raise TrainingError("A part has no query to learn from; set folds lower, or source_weights higher.")
    optimizer = torch.optim.AdamW(tagger.groups(config), fused=True)
    heads = Heads(LabelLayout.standard(), config.loss)
    learning = {name: p for name, p in tagger.named_parameters() if p.requires_grad}
    average = {name: p.detach().clone() for name, p in learning.items()} if config.averaging else {}
    smooth = 0.0
    for step, batch in enumerate(batches):
        tagger.train()
        for group in optimizer.param_groups:
            group["lr"] = group["base_rate"] * schedule(step / len(batches), config.warm_up)
        made = tensors(batch, padding_id=reader.padding)
        with torch.autocast("cpu", torch.bfloat16, enabled=run.bfloat16):
            logits = tagger(made["input_ids"], made["attention_mask"])
        loss = heads(logits.float(), made)
        value = float(loss.detach())
        if not np.isfinite(value):
            raise TrainingError(f"The loss is no number at step {step + 1}; try a lower rate.")
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tagger.parameters(), _GRADIENT_NORM)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        follow(average, learning, decay=config.averaging, steps_done=step)
        smooth = 0.95 * smooth + 0.05 * value if step else value
        report((step + 1) / len(batches), f"step {step + 1} of {len(batches)}, loss {smooth:.3f}")
    with torch.no_grad():
        for name, own in average.items():
            learning[name].copy_(own)


def _epoch(
    windows: Windows, learned: Sequence[AnnotatedQuery], run: _Run, rng: random.Random
) -> list[list[Encoded]]:
    config = run.config
    seen = [
        window
        for query in learned
        for _ in range(times_seen(source_weight(query, config.source_weights), rng))
        for window in windows.encode(run.readings.draw(query, rng) if run.readings else query)
    ]
    return bucketed(seen, batch_tokens=config.batch_tokens, batch_queries=config.batch_queries, rng=rng)


def as_answer(query: AnnotatedQuery, given: GivenAnswer) -> Answer:
    """A text's answer in the form that scores are made from; heads other than tag and leak say nothing."""
    columns = LabelLayout.standard().columns
    width = sum(len(own) for own in columns.values())
    logits = np.zeros((len(given.ranges) + 2, width), dtype=np.float32)
    logits[1:-1, list(columns["tag"])] = np.log(np.maximum(given.tags, 1e-9))
    logits[0, list(columns["leak"])] = np.log(np.clip([1.0 - given.leak, given.leak], 1e-9, 1.0))
    return Answer(query, logits, [(0, 0), *((int(a), int(b)) for a, b in given.ranges), (0, 0)])
