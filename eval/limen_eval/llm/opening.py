"""The one place that turns options into a language model."""

from __future__ import annotations

import os
from pathlib import Path

from limen_eval.errors import EvalError
from limen_eval.llm.endpoint import Endpoint
from limen_eval.llm.gguf import GgufModel
from limen_eval.llm.model import LanguageModel


def open_model(
    *,
    gguf: Path | None,
    endpoint: str | None,
    name: str | None,
    api_key_env: str,
    context_tokens: int,
    timeout_s: float,
    threads: int,
) -> LanguageModel:
    """Open a GGUF file or an endpoint; the caller closes it.

    Raises: `EvalError` unless exactly one is given.
    """
    if (gguf is None) == (endpoint is None):
        raise EvalError("give a language model: either --gguf FILE, or --endpoint URL with --model NAME")
    if gguf is not None:
        return GgufModel(gguf, context_tokens=context_tokens, threads=threads, timeout_s=timeout_s)
    assert endpoint is not None
    if not name:
        raise EvalError("--endpoint needs --model NAME")
    return Endpoint(endpoint, name, api_key=os.environ.get(api_key_env) or None, timeout_s=timeout_s)
