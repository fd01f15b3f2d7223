"""A GGUF file run by llama.cpp in Limen's caged model process, asked in Limen's own frames.

The file is checked before llama.cpp sees it, and its chat template is never read: a prompt is made of token
ids, of which only the frame's are control tokens.
"""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from limen_daemon.detector.generative.instructions import FRAMES, Segment, conversation, frame_for
from limen_daemon.detector.generative.process import ModelProcess
from limen_daemon.errors import DetectorError, TextRefused
from limen_eval.errors import EvalError
from limen_eval.llm.model import Answer, ChatRequest

MAX_FAILURES = 3
"""After so many failures in a row (killed at the deadline, or died) the run stops."""


class GgufModel:
    """One process, one context: requests are answered one after the other, by the likeliest token always."""

    def __init__(
        self,
        path: Path,
        *,
        context_tokens: int = 4096,
        threads: int = 1,
        timeout_s: float = 300.0,
        gpu: bool = False,
    ) -> None:
        """Blocking: loads the model.

        Raises: `ExtraMissing`, `ModelMissing`, `ModelDamaged`, `ModelError`; `EvalError` for a model whose
        chat frame Limen does not have.
        """
        self._path = path
        self._context_tokens = context_tokens
        self._threads = threads
        self._gpu = gpu
        self._timeout_s = timeout_s
        self._failures = 0
        self._closed = False
        self._process = self._new_process()
        try:
            self._device = self._process.start().device
            frame = frame_for(self._process.control_tokens)
            if frame is None:
                known = ", ".join(sorted(FRAMES))
                raise EvalError(
                    f"{path.name}: the vocabulary holds the control tokens of no chat frame that Limen knows "
                    f"({known}); run the model in llama-server and give --endpoint"
                )
        except BaseException:
            self._process.close()
            raise
        self._frame = frame
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="gguf")

    def _new_process(self) -> ModelProcess:
        return ModelProcess(
            self._path, threads=self._threads, gpu=self._gpu, context_tokens=self._context_tokens
        )

    @property
    def id(self) -> str:
        return self._path.stem

    @property
    def pid(self) -> int | None:
        """Process id of the model's process, or None."""
        return self._process.pid

    def describe(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "format": "gguf",
            "device": self._device,
            "languages": [],
            "context_tokens": self._context_tokens,
            "frame": next(name for name, frame in FRAMES.items() if frame == self._frame),
        }

    async def complete(self, request: ChatRequest) -> Answer:
        """The model's answer; it has an `error` where the prompt does not fit or the deadline was missed.

        Raises: `EvalError` for a temperature above 0, and when the process fails again and again.
        """
        if request.temperature > 0:
            raise EvalError(
                "a GGUF file is answered by the likeliest token only; leave --temperature at 0, or run the "
                "model in llama-server and give --endpoint"
            )
        return await asyncio.get_running_loop().run_in_executor(self._lane, self._complete, request)

    def _complete(self, request: ChatRequest) -> Answer:
        started = time.perf_counter()
        prompt = conversation(
            self._frame,
            [(turn["role"], [Segment(_clean(turn["content"]), False)]) for turn in request.messages],
        )
        try:
            pieces = self._process.generate(
                prompt,
                grammar=None if request.json_schema is None else _grammar(request.json_schema),
                deadline_s=time.monotonic() + self._timeout_s,
                max_tokens=min(request.max_tokens, self._context_tokens),
            )
            text = "".join(piece.text for piece in pieces)
        except TextRefused as error:
            return Answer(error=str(error), elapsed_ms=_since(started))
        except DetectorError as error:
            self._start_again(error)
            return Answer(error=str(error), elapsed_ms=_since(started))
        self._failures = 0
        done = self._process.last_generation
        return Answer(
            text=text,
            prompt_tokens=done and done.prompt_tokens,
            completion_tokens=done and done.new_tokens,
            elapsed_ms=_since(started),
        )

    def _start_again(self, error: DetectorError) -> None:
        """A new process at once: the pauses that the daemon makes would fail the requests that follow."""
        if self._closed:
            raise EvalError(f"{self._path.name} was closed in the middle of an answer") from error
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            raise EvalError(
                f"{self._path.name} failed {self._failures} times in a row, the last time with: {error}"
            ) from error
        self._process.close()
        self._process = self._new_process()

    async def close(self) -> None:
        """End the process, also in the middle of an answer. Idempotent."""
        self._closed = True
        self._process.close()
        self._lane.shutdown(wait=True)


def _clean(text: str) -> str:
    """Lone surrogates, which no token can stand for, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _grammar(schema: dict[str, Any]) -> str:
    """`schema` as a GBNF grammar. The converter is llama-cpp-python's; it sees only our own schemas."""
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    grammar: str = json_schema_to_gbnf(json.dumps(schema))
    return grammar


def _since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)
