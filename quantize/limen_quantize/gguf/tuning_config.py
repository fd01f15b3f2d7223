"""Everything that decides a supervised fine-tuning run, in one validated object."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from limen_quantize.gguf.bases import SHIPPED

TUNED_NAME = "model-f16.gguf"
"""The tuned model in a run's folder."""


class TuningConfig(BaseModel):
    """Defaults are for SmolLM2-135M on a CPU; the paper's (appendix H: LoRA of rank 16, dropout 0.05, AdamW,
    learning rate 2e-3 to 1e-3 for models of 1 B, 10 epochs) fit a GPU."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: str = SHIPPED
    """A `.gguf` file, `smollm2-135m`, or a GGUF repository on the hub: see `bases.find_base`."""
    data: tuple[str, ...] = Field(min_length=1)
    """Folders, files or hub names of annotated queries."""
    frame: Literal["chatml", "llama3"] = "chatml"
    method: Literal["lora", "full"] = "lora"
    rank: int = Field(default=16, ge=1, le=256)
    alpha: float = Field(default=32.0, gt=0)
    dropout: float = Field(default=0.05, ge=0, lt=1)
    top_layers: int | None = Field(default=None, ge=1)
    """Tune only this many of the last blocks; None: all."""
    learning_rate: float = Field(default=1e-3, gt=0)
    final_learning_rate: float = Field(default=1e-4, ge=0)
    warm_up: float = Field(default=0.05, ge=0, lt=1)
    """Share of the steps in which the learning rate rises."""
    weight_decay: float = Field(default=0.0, ge=0)
    epochs: float = Field(default=1.0, gt=0)
    max_steps: int | None = Field(default=None, ge=1)
    """Stops earlier than `epochs` when it is smaller; the learning rate is planned for it."""
    minutes: float | None = Field(default=None, gt=0)
    """Ends after this much training time, with a learning rate planned for it. Such a run depends on the
    machine's speed and may be given more when it is over; `max_steps` makes one that repeats exactly."""
    batch_tokens: int = Field(default=1024, ge=64)
    max_tokens: int = Field(default=384, ge=64)
    """Longer conversations are left out."""
    alone: float = Field(default=0.1, ge=0, le=1)
    """Share of conversations that begin with the phrases or the information form."""
    phrases: float = Field(default=0.15, ge=0, le=1)
    """Share of conversations that ask the phrases form instead of the information form."""
    leak_weight: float = Field(default=4.0, gt=0)
    """Weight of the leak answer's tokens in the loss: one token decides whether anything is asked further."""
    chinese_share: float = Field(default=1.0, ge=0, le=1)
    """Which part of the Chinese queries is used, for base models whose vocabulary hardly has any."""
    validation: float = Field(default=0.03, ge=0, lt=0.5)
    """Part of the training data that is held back for the scores in the run record."""
    validate_every: int = Field(default=100, ge=1)
    save_every: int = Field(default=50, ge=1)
    seed: int = 42
    threads: int = Field(default=2, ge=1)
    bfloat16: bool = True
    """Compute in bfloat16 where this processor is faster with it (measured at the start), else in float32."""
    strict: bool = False
    """Refuse data with a phrase that is not in its query, instead of leaving the phrase out."""
