"""What the two ends of the worker process say to each other: one JSON object per line.

The worker is told everything in its requests and keeps nothing between them but the tokens it has read.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from limen_daemon.detector.generative.instructions import Segment

MAX_NEW_TOKENS = 256


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Start(_Message):
    """First line to the worker: what to load. `path` may be a `/proc/self/fd/N` of an inherited file."""

    path: str
    context_tokens: int = Field(ge=64, le=131_072)
    threads: int = Field(ge=1, le=256)
    gpu: bool
    address_space_bytes: int | None


class Choose(_Message):
    """Which of `answers` begins the continuation of the prompt?"""

    kind: Literal["choose"] = "choose"
    prompt: list[Segment]
    answers: list[str] = Field(min_length=2, max_length=16)


class Generate(_Message):
    """Continue the prompt greedily under a GBNF grammar."""

    kind: Literal["generate"] = "generate"
    prompt: list[Segment]
    grammar: str | None
    max_tokens: int = Field(ge=1, le=4096)


class Stop(_Message):
    """End the running generation early."""

    kind: Literal["stop"] = "stop"


class Ready(_Message):
    """The model is loaded. `isolation`: `seccomp` (the kernel refuses sockets) or `audit` (Python does)."""

    kind: Literal["ready"] = "ready"
    device: Literal["cpu", "cuda"]
    isolation: Literal["seccomp", "audit"]
    context_tokens: int


class Chosen(_Message):
    """The answer to `Choose`: probabilities in the order of `answers`."""

    kind: Literal["chosen"] = "chosen"
    probabilities: list[float]
    prompt_tokens: int


class Piece(_Message):
    """One generated token."""

    kind: Literal["piece"] = "piece"
    text: str
    probability: float


class End(_Message):
    """The generation is over. `reason`: the model or the grammar ended it, the token limit, or a `Stop`."""

    kind: Literal["end"] = "end"
    reason: Literal["end", "length", "stopped"]
    prompt_tokens: int
    new_tokens: int


class Failed(_Message):
    """The request could not be answered; `message` holds no typed text."""

    kind: Literal["failed"] = "failed"
    message: str


Request = Annotated[Choose | Generate | Stop, Field(discriminator="kind")]
Event = Annotated[Ready | Chosen | Piece | End | Failed, Field(discriminator="kind")]

REQUEST: TypeAdapter[Choose | Generate | Stop] = TypeAdapter(Request)
EVENT: TypeAdapter[Ready | Chosen | Piece | End | Failed] = TypeAdapter(Event)
