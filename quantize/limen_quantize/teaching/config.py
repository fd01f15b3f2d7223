"""Everything that decides the training of taggers that teach, in one validated object."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from limen_quantize.config import LossWeights, SecondReading
from limen_quantize.gguf.bases import SHIPPED
from limen_quantize.queries import Language


class Unannotated(BaseModel):
    """Texts that nobody has annotated, and who answers them: the mean of the taggers' weights, trained for a
    while on all queries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    files: tuple[str, ...] = Field(min_length=1)
    """As `limen_quantize.readers.unannotated` reads them."""
    epochs: int = Field(default=1, ge=0)
    rate: float = Field(default=2e-5, gt=0)
    head_rate: float = Field(default=2e-4, gt=0)


class TeachingConfig(BaseModel):
    """Defaults are for SmolLM2-135M on a CPU."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: str = SHIPPED
    """An encoder: a folder, or owner/repo on the hub. Or a causal model whose vocabulary has ChatML's control
    tokens: a `.gguf` file, `smollm2-135m`, or a repository whose name ends in GGUF or that is given with a
    file (see `bases.find_base`)."""
    data: tuple[str, ...] = Field(min_length=1)
    """Files, folders or hub names of annotated queries to learn from."""
    out: Path
    languages: tuple[Language, ...] = ("en",)
    """Queries in other languages are neither learned nor answered; SmolLM2 and MPNet hardly read Chinese."""
    holdout: float = Field(default=0.1, ge=0, lt=0.5)
    """Give the share and the real queries of the training that will read the answers; otherwise what it holds
    out has taught its teacher."""
    folds: int = Field(default=1, ge=1, le=10)
    """With two and more the queries are cut into as many parts, likenesses together, and each part is
    answered by a tagger that learned from the others. One tagger answers what it has learned from, more or
    less by repeating it."""
    unannotated: Unannotated | None = None
    epochs: int = Field(default=2, ge=1)
    source_weights: dict[str, float] = Field(default_factory=lambda: {"corpus": 0.5})
    """How often per epoch a query of a source is seen, as in `TrainingConfig`; with 0 it is answered only."""
    second_reading: SecondReading | None = None
    rate: float = Field(default=1e-4, gt=0)
    """Highest learning rate of the model's blocks, after the warm-up; it falls to zero at the end."""
    head_rate: float = Field(default=1e-3, gt=0)
    layer_decay: float = Field(default=0.9, gt=0, le=1)
    """In an encoder each layer learns at this share of the rate of the one above it."""
    weight_decay: float = Field(default=0.01, ge=0)
    warm_up: float = Field(default=0.06, gt=0, lt=1)
    """Share of the steps in which the rates rise."""
    averaging: float = Field(default=0.0, ge=0, lt=1)
    """Decay of the moving average of the weights per step; 0 is off."""
    dropout: float = Field(default=0.1, ge=0, lt=1)
    loss: LossWeights = LossWeights(category=0.2, granularity=0.0, identifiability=0.0)
    """Only the tag and leak heads are answered with; what a phrase is about helps to learn them."""
    batch_tokens: int = Field(default=1200, ge=64)
    batch_queries: int = Field(default=24, ge=1)
    max_tokens: int = Field(default=320, ge=16, le=512)
    seed: int = 0
    threads: int = Field(default=2, ge=1)
    bfloat16: bool = True


def is_encoder(base: str) -> bool:
    """Whether this names an encoder: a folder, or a hub repository that isn't called a GGUF one."""
    if Path(base).is_dir():
        return True
    return "/" in base and ":" not in base and not base.lower().endswith("gguf")
