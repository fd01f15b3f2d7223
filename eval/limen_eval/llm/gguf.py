"""A GGUF file run in this process with llama.cpp. The only file that imports `llama_cpp`."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from limen_daemon.errors import ExtraMissing, ModelDamaged, ModelMissing
from limen_eval.llm.model import Answer, ChatRequest


class GgufModel:
    """One context, one thread that owns it: requests are answered one after the other."""

    def __init__(
        self, path: Path, *, context_tokens: int = 4096, threads: int = 1, gpu_layers: int = 0
    ) -> None:
        """Blocking: loads the model. Raises: `ExtraMissing`, `ModelMissing`, `ModelDamaged`."""
        try:
            import llama_cpp
        except ImportError as error:
            raise ExtraMissing("llama-cpp-python is not installed: pip install 'limen[gguf]'") from error
        if not path.is_file():
            raise ModelMissing(f"{path}: no such model file")
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise ModelDamaged(f"{path} is not a GGUF file")
        try:
            self._llama: Any = llama_cpp.Llama(
                str(path),
                n_ctx=context_tokens,
                n_threads=threads,
                n_threads_batch=threads,
                n_gpu_layers=gpu_layers,
                verbose=False,
            )
        except (ValueError, RuntimeError, AssertionError) as error:
            raise ModelDamaged(f"{path} could not be loaded by llama.cpp") from error
        self._path = path
        self._context_tokens = context_tokens
        self._device = "gpu" if gpu_layers else "cpu"
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="llama")

    @property
    def id(self) -> str:
        return self._path.stem

    def describe(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "format": "gguf",
            "device": self._device,
            "languages": [],
            "context_tokens": self._context_tokens,
        }

    async def complete(self, request: ChatRequest) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._lane, self._complete, request)

    def _complete(self, request: ChatRequest) -> Answer:
        started = time.perf_counter()
        constraint = request.json_schema and {"type": "json_object", "schema": request.json_schema}
        try:
            body = self._llama.create_chat_completion(
                messages=request.messages,
                max_tokens=request.max_tokens,
                temperature=request.temperature,
                top_p=request.top_p,
                seed=request.seed,
                response_format=constraint,
            )
        except ValueError:
            # llama.cpp raises this for a prompt that does not fit its context.
            return Answer(error="longer than the context", elapsed_ms=1000 * (time.perf_counter() - started))
        usage = body["usage"]
        return Answer(
            text=body["choices"][0]["message"]["content"] or "",
            prompt_tokens=usage["prompt_tokens"],
            completion_tokens=usage["completion_tokens"],
            elapsed_ms=1000 * (time.perf_counter() - started),
        )

    async def close(self) -> None:
        """Free the model. Idempotent."""
        if self._llama is not None:
            self._lane.shutdown(wait=True)
            self._llama.close()
            self._llama = None
