"""The GGUF detector: a small language model, tuned on the task, asked in a process of its own.

Per window of the text it asks the paper's first form (leak or not) and, where the answer is yes, its third
(phrases with information; Tables 25 and 27 of "Automated Privacy Information Annotation in LLM
Interactions"). A window for which no phrase is accepted counts as not leaking, as in the paper's section 3.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from limen_daemon.detector.generative.grammar import information_grammar
from limen_daemon.detector.generative.instructions import (
    FRAMES,
    NO,
    YES,
    Form,
    Frame,
    Segment,
    follow_up,
    instruction_language,
    question,
)
from limen_daemon.detector.generative.messages import MAX_NEW_TOKENS
from limen_daemon.detector.generative.process import ModelProcess
from limen_daemon.detector.generative.rows import MAX_SPANS, RowReader, SpanPlacer
from limen_daemon.detector.generative.windows import WINDOW_UNITS, Window, windows
from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.errors import ModelError
from limen_daemon.findings import Finding

_SURROGATE = re.compile("[\ud800-\udfff]")
_WASTED_ROWS = 2
"""Rows in a row that name nothing new after which the model is taken to repeat itself."""

_SMALLEST_SPLIT_UNITS = 20
_NOT_LEAKING = 0.49
"""Cap of the leak score where no phrase was accepted."""


class GgufSettings(BaseModel):
    """How a GGUF model is asked. Stored in the model's manifest; every field has a safe default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    frame: Literal["chatml", "llama3"] = "chatml"
    """Which of our own chat frames the model was tuned with; the file's chat template is never used."""
    leak_threshold: float = Field(default=0.5, gt=0, lt=1)
    context_tokens: int = Field(default=2048, ge=512, le=32_768)
    max_new_tokens: int = Field(default=MAX_NEW_TOKENS, ge=16, le=MAX_NEW_TOKENS)
    deadline_s: float = Field(default=30.0, gt=0, le=600)
    """For one text; then the worker is killed and the text is "not checked"."""
    languages: tuple[str, ...] = ("en", "zh")


class GgufDetector:
    """A GGUF model behind the `Detector` protocol. Thread-safe: texts are checked one after the other."""

    def __init__(
        self,
        path: Path,
        *,
        id: str | None = None,
        sha256: str | None = None,
        settings: GgufSettings | None = None,
        device: str = "auto",
        threads: int = 1,
    ) -> None:
        """Check the file and load the model. `device`: `cpu`, or `cuda`/`auto` to offload where possible.

        Raises: `ExtraMissing` without llama-cpp-python; `ModelMissing`, `ModelDamaged`, `ModelError` (also
        for a model without the control tokens of its frame).
        """
        self._settings = settings or GgufSettings()
        self._frame: Frame = FRAMES[self._settings.frame]
        self._process = ModelProcess(
            path,
            sha256=sha256,
            threads=threads,
            gpu=device != "cpu",
            context_tokens=self._settings.context_tokens,
        )
        self._lock = threading.Lock()
        ready = self._process.start()
        missing = self._frame.control_tokens - self._process.control_tokens
        if missing:
            # Asked all the same, the model would read the frame as plain text and find nothing.
            self._process.close()
            raise ModelError(
                f"{path.name} is to be asked in the frame {self._settings.frame}, but its vocabulary has no "
                f"{min(missing)}; make the model again with the frame that it was tuned with."
            )
        self._info = DetectorInfo(
            id=id or path.stem, format="gguf", device=ready.device, languages=self._settings.languages
        )

    @property
    def info(self) -> DetectorInfo:
        return self._info

    @property
    def process(self) -> ModelProcess:
        """The worker process, for measurements."""
        return self._process

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        """See `Detector.detect`. The model was tuned on queries alone: `context` is not read.

        `leak_score` is the highest over the windows; a window without an accepted phrase stays below 0.5.
        Raises: `DetectorError` at the deadline or when the worker ended; the next text starts it again.
        """
        stream = self.stream(text)
        findings: list[Finding] = []
        while True:
            try:
                findings.append(next(stream))
            except StopIteration as end:
                leak_score = float(end.value)
                break
        return Detection(
            findings=tuple(sorted(findings, key=lambda finding: finding.start)),
            leak_score=leak_score,
            checked_by="model",
        )

    def stream(self, text: str) -> Generator[Finding, None, float]:
        """Yield findings as the model writes them, in its order; returns the leak score.

        Closing the iterator early stops the model. Raises: as `detect`.
        """
        clean = _SURROGATE.sub("\ufffd", text)
        deadline_s = time.monotonic() + self._settings.deadline_s
        with self._lock:
            leak_score = 0.0
            count = 0
            for window in windows(clean):
                score, found = yield from self._window(window, WINDOW_UNITS, deadline_s)
                leak_score = max(leak_score, score)
                count += found
                if count >= MAX_SPANS:
                    break
            return leak_score

    def _window(
        self, window: Window, units: int, deadline_s: float
    ) -> Generator[Finding, None, tuple[float, int]]:
        """Yield the findings of a window of at most `units` units; returns leak score and their number."""
        grammar = information_grammar(window.text)
        if grammar is None:
            return 0.0, 0
        language = instruction_language(window.text)
        prompt = question(self._frame, Form.LEAK, window.text, language)
        yes, _ = self._process.choose(prompt, (YES, NO), deadline_s=deadline_s)
        if yes < self._settings.leak_threshold:
            return min(yes, _NOT_LEAKING), 0
        prompt += follow_up(self._frame, YES, Form.INFORMATION, language)
        found, is_whole = yield from self._rows(window, prompt, grammar, deadline_s)
        count = len(found)
        if not is_whole and units // 2 >= _SMALLEST_SPLIT_UNITS:
            # The answer did not fit: what follows the last finding is asked again in smaller pieces.
            begin = max((finding.end for finding in found), default=window.start) - window.start
            for smaller in windows(window.text[begin:], units // 2):
                part = Window(window.start + begin + smaller.start, smaller.text)
                _, more = yield from self._window(part, units // 2, deadline_s)
                count += more
        return (max(yes, 0.5) if count else min(yes, _NOT_LEAKING)), count

    def _rows(
        self, window: Window, prompt: list[Segment], grammar: str, deadline_s: float
    ) -> Generator[Finding, None, tuple[list[Finding], bool]]:
        """Yield findings row by row; returns them, and whether the answer came to its end."""
        reader = RowReader()
        placer = SpanPlacer(window.text, offset=window.start)
        found: list[Finding] = []
        wasted = 0
        pieces = self._process.generate(
            prompt, grammar=grammar, deadline_s=deadline_s, max_tokens=self._settings.max_new_tokens
        )
        with contextlib.closing(pieces):
            for piece in pieces:
                for row in reader.feed(piece.text, piece.probability):
                    finding = placer.place(row)
                    if finding is None:
                        wasted += 1
                        continue
                    wasted = 0
                    found.append(finding)
                    yield finding
                if reader.closed or wasted >= _WASTED_ROWS:
                    return found, True
        return found, reader.closed

    def close(self) -> None:
        """End the worker process. Idempotent."""
        self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
