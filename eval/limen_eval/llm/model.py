"""What every language model offers, whatever serves it."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict


class ChatRequest(BaseModel):
    """One question to a model. Two equal requests have the same `key` and are asked once."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    model: str
    system: str
    user: str
    max_tokens: int = 512
    temperature: float = 0.0
    top_p: float = 0.95
    seed: int = 42
    json_schema: dict[str, Any] | None = None
    """The answer must follow this schema, where the server can hold the model to it."""

    @property
    def key(self) -> str:
        """SHA-256 of everything that decides the answer."""
        return hashlib.sha256(
            json.dumps(self.model_dump(exclude_none=True), sort_keys=True).encode()
        ).hexdigest()

    @property
    def messages(self) -> list[dict[str, str]]:
        """The chat messages; an empty system prompt is left out."""
        system = [{"role": "system", "content": self.system}] if self.system else []
        return [*system, {"role": "user", "content": self.user}]


class Answer(BaseModel):
    """A model's answer. `error` is set, and `text` empty, where the model would not take this request
    (for instance one longer than its context); that is data, not a crash."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    text: str = ""
    error: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    elapsed_ms: float


class LanguageModel(Protocol):
    """Answers chat requests. Who opens it closes it."""

    @property
    def id(self) -> str: ...

    def describe(self) -> dict[str, Any]:
        """`{"id", "format", "device", ...}` for the run record; no secrets."""
        ...

    async def complete(self, request: ChatRequest) -> Answer:
        """Raises: `EndpointError` when the model cannot be reached or refuses this client."""
        ...

    async def close(self) -> None: ...
