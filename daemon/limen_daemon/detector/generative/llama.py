"""llama.cpp through llama-cpp-python's C functions: token ids in, greedy tokens out, under a grammar.

The package's own `Llama` class is not used: it reads the chat template of the model file, and parses
control tokens in every prompt. This module runs only inside the worker process.
"""

from __future__ import annotations

import codecs
import ctypes
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from limen_daemon.detector.generative.instructions import Segment
from limen_daemon.errors import ModelError

CANDIDATES = 40
"""The likeliest tokens, which the grammar sees first; the whole vocabulary only if it refuses them all."""

_TOKEN_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class Token(NamedTuple):
    """One generated token: its text (may be empty inside a multi-byte character) and its probability."""

    text: str
    probability: float


def silence(library: Any) -> Any:
    """Stop llama.cpp from writing anything anywhere; the return value must be kept alive."""

    @library.llama_log_callback  # type: ignore[untyped-decorator]
    def nothing(level: int, text: bytes, data: object) -> None:
        return None

    library.llama_log_set(nothing, ctypes.c_void_p(0))
    return nothing


class LlamaModel:
    """One loaded model with one context. Not thread-safe.

    The evaluated tokens are remembered: a prompt that begins like the last one is not read twice.
    """

    def __init__(self, path: str, *, context_tokens: int, threads: int, gpu: bool) -> None:
        import llama_cpp

        self._lib: Any = llama_cpp
        self._log = silence(llama_cpp)
        llama_cpp.llama_backend_init()
        model_params = llama_cpp.llama_model_default_params()
        model_params.n_gpu_layers = 10_000 if gpu else 0
        self._model = llama_cpp.llama_model_load_from_file(os.fsencode(path), model_params)
        if not self._model:
            raise ModelError("llama.cpp cannot load the model file; download or convert it again.")
        context_params = llama_cpp.llama_context_default_params()
        context_params.n_ctx = context_tokens
        context_params.n_batch = context_params.n_ubatch = min(512, context_tokens)
        context_params.n_threads = context_params.n_threads_batch = threads
        context_params.offload_kqv = gpu
        context_params.op_offload = gpu
        self._context = llama_cpp.llama_init_from_model(self._model, context_params)
        if not self._context:
            raise ModelError("llama.cpp cannot make a context for the model; there may be too little memory.")
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._vocabulary_size = int(llama_cpp.llama_vocab_n_tokens(self._vocab))
        self._batch_tokens = int(context_params.n_batch)
        self.context_tokens = int(llama_cpp.llama_n_ctx(self._context))
        self._evaluated: list[int] = []

    def tokenize(self, segments: Sequence[Segment]) -> list[int]:
        """Token ids of a prompt; control tokens are recognized in `special` segments only."""
        ids: list[int] = []
        for segment in segments:
            data = segment.text.encode("utf-8")
            room = len(data) + 8
            buffer = (self._lib.llama_token * room)()
            count = self._lib.llama_tokenize(
                self._vocab, data, len(data), buffer, room, False, segment.special
            )
            if count < 0:
                raise ModelError("llama.cpp cannot split the prompt into tokens.")
            ids.extend(buffer[:count])
        return ids

    def evaluate(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """Read a prompt; returns the logits after its last token, shape (vocabulary,)."""
        if not tokens or len(tokens) >= self.context_tokens:
            raise ModelError(f"A prompt must have 1 to {self.context_tokens - 1} tokens, not {len(tokens)}.")
        shared = 0
        limit = min(len(self._evaluated), len(tokens) - 1)
        while shared < limit and self._evaluated[shared] == tokens[shared]:
            shared += 1
        self._lib.llama_memory_seq_rm(self._memory, 0, shared, -1)
        del self._evaluated[shared:]
        for begin in range(shared, len(tokens), self._batch_tokens):
            self._decode(tokens[begin : begin + self._batch_tokens])
        return self._logits()

    def _decode(self, tokens: Sequence[int]) -> None:
        array = (self._lib.llama_token * len(tokens))(*tokens)
        status = self._lib.llama_decode(self._context, self._lib.llama_batch_get_one(array, len(tokens)))
        if status != 0:
            self._lib.llama_memory_clear(self._memory, True)
            self._evaluated = []
            raise ModelError(f"llama.cpp could not evaluate the prompt (status {status}).")
        self._evaluated.extend(tokens)

    def _logits(self) -> NDArray[np.float32]:
        pointer = self._lib.llama_get_logits_ith(self._context, -1)
        return np.ctypeslib.as_array(pointer, shape=(self._vocabulary_size,))

    def choose(self, tokens: Sequence[int], answers: Sequence[str]) -> list[float]:
        """Probability of each answer's first token after the prompt, normalized over the answers."""
        logits = self.evaluate(tokens)
        firsts = [self.tokenize([Segment(answer, False)])[0] for answer in answers]
        chosen = logits[firsts].astype(np.float64)
        weights = np.exp(chosen - chosen.max())
        return [float(weight) for weight in weights / weights.sum()]

    def generate(self, tokens: Sequence[int], *, grammar: str | None, max_tokens: int) -> Iterator[Token]:
        """Greedy continuation (temperature 0) until the model or the grammar ends it, or `max_tokens`."""
        sampler = self._grammar(grammar) if grammar is not None else None
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        try:
            logits = self.evaluate(tokens)
            for count in range(max_tokens):
                token = self._pick(logits, sampler)
                if token is None or self._lib.llama_vocab_is_eog(self._vocab, token):
                    return
                probability = float(1.0 / np.exp(logits - logits[token], dtype=np.float64).sum())
                yield Token(decoder.decode(self._piece(token)), probability)
                if count + 1 == max_tokens or len(self._evaluated) + 1 >= self.context_tokens:
                    return
                if sampler is not None:
                    self._lib.llama_sampler_accept(sampler, token)
                self._decode([token])
                logits = self._logits()
        finally:
            if sampler is not None:
                self._lib.llama_sampler_free(sampler)

    def _grammar(self, grammar: str) -> Any:
        sampler = self._lib.llama_sampler_init_grammar(self._vocab, grammar.encode("utf-8"), b"root")
        if not sampler:
            raise ModelError("llama.cpp refused the grammar of the answer.")
        return sampler

    def _pick(self, logits: NDArray[np.float32], sampler: Any) -> int | None:
        """The likeliest token that the grammar allows, or None when it allows none."""
        if sampler is None:
            return int(logits.argmax())
        count = min(CANDIDATES, len(logits) - 1)
        likeliest = np.argpartition(logits, -count)[-count:]
        for ids in (likeliest, np.arange(len(logits))):
            data = np.zeros(len(ids), dtype=_TOKEN_DATA)
            data["id"], data["logit"] = ids, logits[ids]
            array = self._lib.llama_token_data_array(
                data=data.ctypes.data_as(ctypes.POINTER(self._lib.llama_token_data)),
                size=len(data),
                selected=-1,
                sorted=False,
            )
            self._lib.llama_sampler_apply(sampler, ctypes.byref(array))
            best = int(data["logit"].argmax())
            if np.isfinite(data["logit"][best]):
                return int(data["id"][best])
        return None

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(64)
        length = self._lib.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, False)
        if length < 0:
            buffer = ctypes.create_string_buffer(-length)
            length = self._lib.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, False)
        return buffer.raw[:length]

    def close(self) -> None:
        """Free the context and the model. Idempotent."""
        if self._context:
            self._lib.llama_free(self._context)
            self._context = None
        if self._model:
            self._lib.llama_model_free(self._model)
            self._model = None
