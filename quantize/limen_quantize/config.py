"""The one validated object that configures a training run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from limen_quantize.queries import AnnotatedQuery


class Augmentation(BaseModel):
    """Chances (0 to 1, per query and epoch) of each way to disturb a training query."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lower_case: float = Field(default=0.08, ge=0, le=1)
    upper_case: float = Field(default=0.01, ge=0, le=1)
    typos: float = Field(default=0.06, ge=0, le=1)
    no_punctuation: float = Field(default=0.06, ge=0, le=1)
    join_neutral: float = Field(default=0.10, ge=0, le=1)
    """Put a query that discloses nothing before or after (the sketch missed second sentences)."""
    paste_context: float = Field(default=0.03, ge=0, le=1)
    """Put a longer text that discloses nothing below, as pasted material."""
    token_dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share of a query's tokens hidden from the network, so that it cannot learn short queries by heart."""


class LossWeights(BaseModel):
    """How much each head counts; the tag head counts 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: float = Field(default=0.3, ge=0)
    subject: float = Field(default=0.1, ge=0)
    granularity: float = Field(default=0.1, ge=0)
    identifiability: float = Field(default=0.1, ge=0)
    leak: float = Field(default=0.5, ge=0)
    label_smoothing: float = Field(default=0.0, ge=0, lt=0.5)


class Refinement(BaseModel):
    """A second round: as many members train the averaged network on; at the end all of both are averaged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    epochs: int = Field(default=2, ge=1)
    encoder_rate: float = Field(default=8e-5, gt=0)
    head_rate: float = Field(default=2.4e-4, gt=0)
    token_dropout: float = Field(default=0.05, ge=0, lt=1)
    freeze_embeddings: bool = False
    language_weights: dict[str, float] = Field(default_factory=dict)
    source_weights: dict[str, float] = Field(default_factory=dict)


class Distillation(BaseModel):
    """Trained networks to learn from beside the annotation; see `limen_quantize.distillation`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    teachers: tuple[str, ...] = Field(min_length=1)
    """Folders of networks, of finished runs or of ONNX models, with the same word pieces and labels."""
    share: float = Field(default=0.7, gt=0, le=1)
    """How much the teachers count; the annotation counts the rest."""
    temperature: float = Field(default=2.0, ge=1)
    """Softens both answers, so that what a teacher thinks unlikely counts too."""
    answers: tuple[str, ...] = ()
    """Files of answers that a network of another kind gave beforehand (`limen quantize teach`), best to texts
    that it had not learned from (its setting `folds`)."""
    answers_share: float = Field(default=0.5, ge=0, le=1)
    """How much these count beside the teachers, in the texts that they have."""


class SecondReading(BaseModel):
    """A second annotator's reading of training queries; see `limen_quantize.readings`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    files: tuple[str, ...] = Field(min_length=1)
    share: float = Field(default=0.5, gt=0, le=1)
    """How often a query that has a second reading is seen with it."""
    doubtful: float = Field(default=0.45, ge=0, le=1)
    """How often a doubtful phrase counts as one, in a query that holds sure ones too."""
    doubtful_alone: float = Field(default=0.2, ge=0, le=1)
    """How often a query whose phrases are all doubtful discloses. Of the real training queries the first
    annotator marked 53 % of the former and 18 % of the latter in English, 47 % and 35 % in Chinese
    (`python -m limen_quantize.agreement`); in the written ones fewer."""


class TrainingConfig(BaseModel):
    """Everything a run depends on besides the data and the package versions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: str
    """Folder or hub name of the encoder to start from."""
    data: tuple[str, ...] = Field(min_length=1)
    """Files, folders or hub names."""
    unannotated: tuple[str, ...] = ()
    """Files of texts that nobody has annotated (`readers.unannotated`); what there is to learn from them is
    what `distillation` says of them. None is held out."""
    out: Path
    seed: int = 1
    members: int = Field(default=1, ge=1, le=8)
    """Runs with seeds seed, seed + 1, ... whose weights are averaged at the end."""
    epochs: int = Field(default=5, ge=1)
    holdout: float = Field(default=0.08, ge=0, lt=0.5)
    """Share of the queries kept apart for scores per epoch and the decoding rules; 0 trains on all."""
    encoder_rate: float = Field(default=1.2e-4, gt=0)
    head_rate: float = Field(default=1e-3, gt=0)
    layer_decay: float = Field(default=0.95, gt=0, le=1)
    """Each layer below the top learns at this share of the rate of the one above it."""
    weight_decay: float = Field(default=0.01, ge=0)
    warm_up: float = Field(default=0.08, ge=0, lt=1)
    freeze_embeddings: bool = True
    """Keep the word embeddings: half of the parameters, and words never seen in training stay comparable."""
    dropout: float = Field(default=0.1, ge=0, lt=1)
    attention_dropout: float = Field(default=0.1, ge=0, lt=1)
    averaging: float = Field(default=0.0, ge=0, lt=1)
    """Decay of the moving average of the weights per step; 0 is off."""
    batch_tokens: int = Field(default=1600, ge=64)
    batch_queries: int = Field(default=32, ge=1)
    max_tokens: int = Field(default=320, ge=16, le=512)
    """Longer queries are cut into overlapping windows of this many tokens."""
    language_weights: dict[str, float] = Field(default_factory=dict)
    """How often per epoch a query of a language is seen, for instance {"zh": 1.5}; 1 when not named."""
    refinement: Refinement | None = None
    distillation: Distillation | None = None
    second_reading: SecondReading | None = None
    source_weights: dict[str, float] = Field(default_factory=dict)
    """The same per collection, for instance {"corpus": 0.5, "corpus/en9": 1.0}; see `weight_of`."""
    loss: LossWeights = LossWeights()
    augmentation: Augmentation = Augmentation()
    threads: int = Field(default=1, ge=1)
    """CPU threads per member; on a busy machine one thread each is the fastest."""
    bfloat16: bool = True
    """Compute in bfloat16 where this processor is faster with it (measured at the start), else in float32."""
    checkpoint_every_s: float = Field(default=120.0, gt=0)
    limit_steps: int | None = Field(default=None, ge=1)
    """Stop after so many steps, for trials and tests."""

    @model_validator(mode="after")
    def _unannotated_texts_have_teachers(self) -> Self:
        if self.unannotated and self.distillation is None:
            raise ValueError("unannotated texts teach nothing without distillation")
        return self

    def weight_of(self, query: AnnotatedQuery) -> float:
        """How often per epoch `query` is seen, by its language and its source."""
        return self.language_weights.get(query.language, 1.0) * source_weight(query, self.source_weights)


def source_weight(query: AnnotatedQuery, weights: Mapping[str, float]) -> float:
    """Of the `weights` that name its source or a folder above it ("corpus/en9/work", "corpus/en9", "corpus")
    the longest name counts; 1 without any."""
    parts = query.source.split("/")
    names = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((weights[name] for name in names if name in weights), 1.0)
