"""Trains a causal model as a tagger and has it answer texts, for `limen quantize train` to learn from.

Training starts anew after a kill (half an hour on two cores); once `tagger.safetensors` is there, only the
answers are made.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import cross_entropy

from limen_daemon.detector.decode import DecodingRules
from limen_daemon.detector.layout import LabelLayout
from limen_daemon.models.manifest import file_sha256
from limen_quantize.answer_file import TextAnswer, write_answers
from limen_quantize.answers import Answer
from limen_quantize.batches import bucketed
from limen_quantize.config import TrainingConfig
from limen_quantize.encoding import IGNORED, Encoded
from limen_quantize.errors import TrainingError
from limen_quantize.gguf.bases import find_base
from limen_quantize.gguf.reading import read_gguf, to_torch
from limen_quantize.gguf.tagger import Tagger, Windows, answer_texts
from limen_quantize.gguf.teaching_config import TeachingConfig
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.network import tensors
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.record import now, sha256_of, versions
from limen_quantize.rules import choose_rules
from limen_quantize.scores import Scores
from limen_quantize.split import split
from limen_quantize.training_run import load_data

ANSWERS_NAME = "answers.npz"
_WEIGHTS_NAME = "tagger.safetensors"
_RECORD_NAME = "run.json"
_GRADIENT_NORM = 1.0

Report = Callable[[float, str], None]


def teach(config: TeachingConfig, report: Report) -> dict[Language, Scores]:
    """Train, score on the held-out queries, answer all texts; returns the scores.

    Held-out texts are not answered: a student may learn from a file without ever meeting them.
    Raises: `DataError`, `TrainingError`, and what reading the base model raises.
    """
    config.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(config.threads)
    queries, files = load_data(config.data)
    kept, held_out = split([q for q in queries if q.language in config.languages], config.holdout)
    if not kept:
        raise TrainingError("no query to learn from in these languages; see --set languages")
    base_path = find_base(config.base)
    base = read_gguf(base_path)
    tokenizer = SegmentTokenizer(base.metadata)
    torch.manual_seed(config.seed)
    tagger = Tagger(to_torch(base), LabelLayout.standard(), dropout=config.dropout)
    bfloat16 = config.bfloat16 and bfloat16_is_faster()
    weights = config.out / _WEIGHTS_NAME
    if weights.is_file():
        tagger.load_state_dict({name: value.float() for name, value in load_file(weights).items()})
    else:
        _train(tagger, Windows(tokenizer, max_tokens=config.max_tokens), kept, config, bfloat16, report)
        part = weights.with_suffix(".part")
        save_file({name: value.bfloat16() for name, value in tagger.state_dict().items()}, part)
        part.replace(weights)
    rules, scores = _scores(tagger, tokenizer, held_out, config, bfloat16)
    texts = sorted({query.text for query in kept})
    answers = _answers(tagger, tokenizer, texts, config, bfloat16)
    write_answers(config.out / ANSWERS_NAME, dict(zip(texts, answers, strict=True)))
    record = {
        "finished_at": now(),
        "config": config.model_dump(mode="json"),
        "base_sha256": file_sha256(base_path),
        "data": [file.model_dump(mode="json") for file in files],
        "n_train": len(kept),
        "n_held_out": len(held_out),
        "held_out": {language: one.model_dump(mode="json") for language, one in scores.items()},
        "decoding": rules.model_dump(mode="json"),
        "answers_sha256": sha256_of(config.out / ANSWERS_NAME),
        "versions": versions(),
    }
    (config.out / _RECORD_NAME).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return scores


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
    smooth = 0.0
    for step, batch in enumerate(batches):
        tagger.train()
        done = step / len(batches)
        rise = done / config.warm_up if done < config.warm_up else (1.0 - done) / (1.0 - config.warm_up)
        for group in optimizer.param_groups:
            group["lr"] = group["base_rate"] * rise
        made = tensors(batch, padding_id=windows.end)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits = tagger(made["input_ids"], made["attention_mask"])
        loss = _loss(logits.float(), made, config)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tagger.parameters(), _GRADIENT_NORM)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        smooth = 0.95 * smooth + 0.05 * float(loss.detach()) if step else float(loss.detach())
        report((step + 1) / len(batches), f"step {step + 1} of {len(batches)}, loss {smooth:.3f}")


def _epoch(
    windows: Windows, kept: Sequence[AnnotatedQuery], config: TeachingConfig, rng: random.Random
) -> list[list[Encoded]]:
    weights = TrainingConfig(
        base=config.base, data=config.data, out=config.out, source_weights=config.source_weights
    )
    seen: list[Encoded] = []
    for query in kept:
        weight = weights.weight_of(query)
        for _ in range(int(weight) + (rng.random() < weight % 1)):
            seen += windows.encode(query)
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


def _loss(logits: Tensor, made: dict[str, Tensor], config: TeachingConfig) -> Tensor:
    columns = LabelLayout.standard().columns
    last = made["attention_mask"].sum(1) - 1
    leak = logits[torch.arange(len(last)), last][:, list(columns["leak"])]
    total = config.leak_weight * cross_entropy(leak, made["leak"])
    weights = (("tag", 1.0), ("category", config.category_weight), ("subject", config.subject_weight))
    for head, weight in weights:
        if bool((made[head] != IGNORED).any()):
            own = logits[:, :, list(columns[head])].flatten(0, 1)
            total = total + weight * cross_entropy(own, made[head].flatten(), ignore_index=IGNORED)
    return total


def _answers(
    tagger: Tagger, tokenizer: SegmentTokenizer, texts: Sequence[str], config: TeachingConfig, bfloat16: bool
) -> list[TextAnswer]:
    return answer_texts(tagger, tokenizer, texts, max_tokens=config.max_tokens, bfloat16=bfloat16)


def _scores(
    tagger: Tagger,
    tokenizer: SegmentTokenizer,
    held_out: Sequence[AnnotatedQuery],
    config: TeachingConfig,
    bfloat16: bool,
) -> tuple[DecodingRules, dict[Language, Scores]]:
    if not held_out:
        return DecodingRules(), {}
    given = _answers(tagger, tokenizer, [query.text for query in held_out], config, bfloat16)
    answers = [as_answer(query, one) for query, one in zip(held_out, given, strict=True)]
    return choose_rules(answers, LabelLayout.standard())


def as_answer(query: AnnotatedQuery, given: TextAnswer) -> Answer:
    """A text's answer in the form that scores are made from; heads other than tag and leak say nothing."""
    columns = LabelLayout.standard().columns
    width = sum(len(own) for own in columns.values())
    logits = np.zeros((len(given.ranges) + 2, width), dtype=np.float32)
    logits[1:-1, list(columns["tag"])] = np.log(np.maximum(given.tags, 1e-9))
    logits[0, list(columns["leak"])] = np.log(np.clip([1.0 - given.leak, given.leak], 1e-9, 1.0))
    return Answer(query, logits, [(0, 0), *((int(a), int(b)) for a, b in given.ranges), (0, 0)])
