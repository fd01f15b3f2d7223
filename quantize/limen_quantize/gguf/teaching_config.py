"""Everything that decides the training of a causal model as a tagger, in one validated object."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from limen_quantize.gguf.bases import SHIPPED


class TeachingConfig(BaseModel):
    """Defaults are for SmolLM2-135M on two cores: about 230 tokens a second."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: str = SHIPPED
    """A `.gguf` file, `smollm2-135m`, or a GGUF repository on the hub: see `bases.find_base`."""
    data: tuple[str, ...] = Field(min_length=1)
    """Files, folders or hub names of annotated queries to learn from."""
    out: Path
    languages: tuple[str, ...] = ("en",)
    """Queries in other languages are neither learned nor answered; SmolLM2 hardly reads Chinese."""
    holdout: float = Field(default=0.1, ge=0, lt=0.5)
    """The same queries are held out as in `limen quantize train`, or the student would have seen them."""
    epochs: int = Field(default=2, ge=1)
    source_weights: dict[str, float] = Field(default_factory=lambda: {"corpus": 0.5})
    """How often per epoch a query of a source is seen, as in `TrainingConfig`."""
    rate: float = Field(default=1e-4, gt=0)
    head_rate: float = Field(default=1e-3, gt=0)
    weight_decay: float = Field(default=0.01, ge=0)
    warm_up: float = Field(default=0.06, gt=0, lt=1)
    dropout: float = Field(default=0.1, ge=0, lt=1)
    leak_weight: float = Field(default=0.5, ge=0)
    category_weight: float = Field(default=0.2, ge=0)
    subject_weight: float = Field(default=0.1, ge=0)
    batch_tokens: int = Field(default=1200, ge=64)
    batch_queries: int = Field(default=24, ge=1)
    max_tokens: int = Field(default=320, ge=16)
    seed: int = 0
    threads: int = Field(default=2, ge=1)
    bfloat16: bool = True
