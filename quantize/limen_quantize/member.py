"""Trains one network: the loop, its learning-rate schedule, its checkpoints and its scores per epoch."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from pydantic import BaseModel, ConfigDict

from limen_daemon.detector.decode import DecodingRules
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answer_file import GivenAnswers
from limen_quantize.augmentation import View, augment, hide_tokens
from limen_quantize.averaging import follow
from limen_quantize.batches import bucketed
from limen_quantize.checkpoint import drop_checkpoint, load_checkpoint, save_checkpoint
from limen_quantize.config import TrainingConfig
from limen_quantize.distillation import Teachers
from limen_quantize.encoding import Encoded, encode
from limen_quantize.inference import answer_all
from limen_quantize.network import Heads, load_network, parameter_groups, tensors
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.readings import Readings
from limen_quantize.rules import choose_rules
from limen_quantize.scores import Scores

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_GRADIENT_NORM = 1.0


class EpochReport(BaseModel):
    """What one epoch gave. `scores` are on the held-out split of the training data (empty without one)."""

    model_config = ConfigDict(frozen=True)

    epoch: int
    loss: float
    tokens: int
    seconds: float
    scores: dict[Language, Scores] = {}
    rules: DecodingRules | None = None


@dataclass(slots=True)
class _Sums:
    """Over the steps of the epoch so far, those before a kill included."""

    loss: float = 0.0
    tokens: int = 0
    seconds: float = 0.0


Progress = Callable[[float, str], None]
"""Called with the share done (0 to 1) and a short state for people."""


class Member:
    """One training run with one seed; `run` starts it or resumes it from its folder's checkpoint."""

    def __init__(
        self,
        config: TrainingConfig,
        tokenizer: Tokenizer,
        train: Sequence[AnnotatedQuery],
        held_out: Sequence[AnnotatedQuery],
        folder: Path,
        *,
        seed: int,
    ) -> None:
        torch.set_num_threads(config.threads)
        self._config = config
        self._tokenizer = tokenizer
        self._train = train
        self._held_out = held_out
        self._folder = folder
        self._seed = seed
        self._layout = LabelLayout.standard()
        self._bfloat16 = config.bfloat16 and bfloat16_is_faster()
        self._unknown_id = tokenizer.token_to_id("<unk>") or 0
        self._network = load_network(config, self._layout)
        self._heads = Heads(self._layout, config.loss)
        self._readings = Readings(config.second_reading) if config.second_reading else None
        self._teachers = (
            Teachers(
                config.distillation,
                self._layout,
                vocabulary=self._network.config.vocab_size,
                bfloat16=self._bfloat16,
            )
            if config.distillation
            else None
        )
        self._answers = GivenAnswers(config.distillation.answers) if config.distillation else None
        self._optimizer = torch.optim.AdamW(parameter_groups(self._network, config), fused=True)
        self._trainable = {n: p for n, p in self._network.named_parameters() if p.requires_grad}
        self._average = (
            {n: p.detach().clone() for n, p in self._trainable.items()} if config.averaging else {}
        )
        self._reports: list[EpochReport] = []
        self._sums = _Sums()
        self._epoch = self._step = self._steps_done = 0
        torch.manual_seed(seed)
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, progress: Progress) -> list[EpochReport]:
        """Train to the end, write the network into the folder and return the epochs' reports."""
        self._resume()
        while self._epoch < self._config.epochs:
            report = self._one_epoch(progress)
            if report is None:
                break
            self._reports.append(report)
            self._epoch, self._step = self._epoch + 1, 0
            self._save()
            self._tell()
            progress(self._epoch / self._config.epochs, _summary(report))
        self._tell()
        self._load_average()
        unfinished = self._folder / "network.part"
        self._network.save_pretrained(unfinished)
        unfinished.replace(self._folder / "network")  # its presence says that the member is done
        drop_checkpoint(self._folder)
        return self._reports

    def _one_epoch(self, progress: Progress) -> EpochReport | None:
        batches = self._batches_of(self._epoch)
        saved_at = time.monotonic()
        sums = self._sums
        if not self._step:
            sums.loss, sums.tokens, sums.seconds = 0.0, 0, 0.0
        for index in range(self._step, len(batches)):
            begun = time.monotonic()
            share = (self._epoch + index / len(batches)) / self._config.epochs
            sums.loss += self._learn(batches[index], share)
            sums.tokens += sum(len(window.ids) for window in batches[index])
            sums.seconds += time.monotonic() - begun
            self._step = index + 1
            self._steps_done += 1
            if self._steps_done == self._config.limit_steps:
                return None
            if time.monotonic() - saved_at > self._config.checkpoint_every_s:
                self._save()
                saved_at = time.monotonic()
            done = (self._epoch + self._step / len(batches)) / self._config.epochs
            progress(done, f"epoch {self._epoch + 1}, loss {sums.loss / self._step:.3f}")
        report = EpochReport(
            epoch=self._epoch + 1,
            loss=sums.loss / max(1, len(batches)),
            tokens=sums.tokens,
            seconds=sums.seconds,
        )
        return self._scored(report)

    def _learn(self, batch: list[Encoded], share: float) -> float:
        self._network.train()
        rate = schedule(share, self._config.warm_up)
        for group in self._optimizer.param_groups:
            group["lr"] = group["base_rate"] * rate
        made = tensors(batch, padding_id=int(self._network.config.pad_token_id))
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            output = self._network(input_ids=made["input_ids"], attention_mask=made["attention_mask"])
        loss = self._loss(output.logits.float(), made)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._trainable.values(), _GRADIENT_NORM)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        follow(self._average, self._trainable, decay=self._config.averaging, steps_done=self._steps_done)
        return float(loss.detach())

    def _loss(self, logits: torch.Tensor, made: dict[str, torch.Tensor]) -> torch.Tensor:
        annotated = annotation_loss(self._heads, logits, made)
        if self._teachers is None:
            return annotated
        taught = self._teachers.loss(logits, made, self._config.loss)
        return torch.lerp(annotated, taught, self._teachers.share)

    def _batches_of(self, epoch: int) -> list[list[Encoded]]:
        """The epoch's batches; they depend on the seed and the epoch only, so a resumed run sees the same."""
        rng = random.Random(self._seed * 1_000_003 + epoch)  # noqa: S311 (no secret depends on it)
        neutral: dict[str, list[View]] = {}
        for query in self._train:
            told = query.phrases or (self._readings and self._readings.of(query))
            if query.annotated and not told:
                neutral.setdefault(query.language, []).append(self._view(query))
        windows: list[Encoded] = []
        hidden_share = self._config.augmentation.token_dropout
        for query in self._train:
            for _ in range(times_seen(self._config.weight_of(query), rng)):
                read = self._view(self._readings.draw(query, rng) if self._readings else query)
                seen = augment(read, self._config.augmentation, neutral.get(query.language, ()), rng)
                for window in encode(
                    seen.query, self._tokenizer, max_tokens=self._config.max_tokens, answer=seen.answer
                ):
                    windows.append(hide_tokens(window, self._unknown_id, hidden_share, rng))
        return bucketed(
            windows, batch_tokens=self._config.batch_tokens, batch_queries=self._config.batch_queries, rng=rng
        )

    def _view(self, query: AnnotatedQuery) -> View:
        return View(query, self._answers.of(query.text) if self._answers else None)

    def _scored(self, report: EpochReport) -> EpochReport:
        if not self._held_out:
            return report
        current = {n: p.detach().clone() for n, p in self._trainable.items()} if self._average else {}
        self._load_average()
        answers = answer_all(
            self._network,
            self._tokenizer,
            self._held_out,
            max_tokens=self._config.max_tokens,
            bfloat16=self._bfloat16,
        )
        self._load(current)
        rules, scores = choose_rules(answers, self._layout)
        return report.model_copy(update={"scores": scores, "rules": rules})

    def _load_average(self) -> None:
        self._load(self._average)

    def _load(self, values: dict[str, torch.Tensor]) -> None:
        with torch.no_grad():
            for name, value in values.items():
                self._trainable[name].copy_(value)

    def _tell(self) -> None:
        """Write the reports, which a run that was killed between the two files has in its checkpoint only."""
        part = self._folder / "epochs.part"
        part.write_text(
            json.dumps([r.model_dump(mode="json") for r in self._reports], indent=1), encoding="utf-8"
        )
        part.replace(self._folder / "epochs.json")

    def _save(self) -> None:
        state: dict[str, Any] = {
            "config": self._config.model_dump_json(),
            "epoch": self._epoch,
            "step": self._step,
            "steps_done": self._steps_done,
            "parameters": {n: p.detach() for n, p in self._trainable.items()},
            "average": self._average,
            "optimizer": self._optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "sums": asdict(self._sums),
            "reports": [report.model_dump_json() for report in self._reports],
        }
        save_checkpoint(self._folder, state)

    def _resume(self) -> None:
        state = load_checkpoint(self._folder)
        if state is None or TrainingConfig.model_validate_json(state["config"]) != self._config:
            return
        self._epoch, self._step, self._steps_done = state["epoch"], state["step"], state["steps_done"]
        self._load(state["parameters"])
        self._average = state["average"]
        self._optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self._sums = _Sums(**state.get("sums", {}))
        self._reports = [EpochReport.model_validate_json(text) for text in state["reports"]]


def annotation_loss(heads: Heads, logits: torch.Tensor, made: dict[str, torch.Tensor]) -> torch.Tensor:
    """What the annotation says of a batch, a scalar: the loss of the annotated queries, by their share of the
    tokens, so that a token counts the same whatever stands in its batch."""
    rows = made["annotated"]
    if bool(rows.all()):
        return heads(logits, made)
    if not bool(rows.any()):
        return logits.new_zeros(())
    own = heads(logits[rows], {name: values[rows] for name, values in made.items()})
    tokens = made["attention_mask"].sum(-1)
    return own * (tokens[rows].sum() / tokens.sum())


def schedule(share: float, warm_up: float) -> float:
    """Linear warm-up over the first `warm_up` of the run, then linear decay to zero."""
    return share / warm_up if share < warm_up else (1.0 - share) / (1.0 - warm_up)


def times_seen(weight: float, rng: random.Random) -> int:
    """How often a query with this weight is seen in an epoch: on average as often as it says."""
    return int(weight) + (rng.random() < weight % 1)


def _summary(report: EpochReport) -> str:
    parts = [f"epoch {report.epoch} done, loss {report.loss:.3f}"]
    parts += [f"{language}: {scores}" for language, scores in report.scores.items()]
    return "; ".join(parts)
