"""The shipped detector: a token classifier run by ONNX Runtime. Needs onnxruntime, tokenizers and numpy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from pydantic import ValidationError
from tokenizers import Tokenizer

from limen_daemon.detector.decode import (
    Decoded,
    DecodedSpan,
    DecodingRules,
    Floats,
    Offsets,
    apply_rules,
    decode,
    softmax,
)
from limen_daemon.detector.layout import LabelLayout
from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.detector.windows import Window, batches, by_window, merge_logits, windows_of
from limen_daemon.errors import ConfigError, DetectorError, ModelDamaged
from limen_daemon.findings import Finding
from limen_daemon.models.manifest import Manifest, read_manifest, read_verified
from limen_daemon.models.onnx_file import check_onnx

_PROVIDERS = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}
_LOGITS, _SENTENCE = "logits", "sentence"
_BATCH_TOKENS = 1280
"""Tokens per run for long texts: memory stays bounded whatever the length."""


class OnnxDetector:
    """A `Detector` on one ONNX Runtime session. Thread-safe; `detect` blocks: call it from an executor.

    `folder` holds model.onnx, tokenizer.json, config.json and manifest.json. `device`: auto (CUDA when
    this ONNX Runtime has it), cpu or cuda. `threads`: CPU threads inside one run.
    Raises: `ModelMissing`, `ModelDamaged`, `ConfigError` (device).
    """

    def __init__(self, folder: Path, *, device: str = "auto", threads: int = 1) -> None:
        manifest = read_manifest(folder)
        self._layout = _layout(read_verified(folder, manifest, "config.json"))
        self._rules = _rules(manifest)
        self._tokenizer = _tokenizer(read_verified(folder, manifest, "tokenizer.json"))
        start_and_end = self._tokenizer.encode("").ids
        self._start_id, self._end_id = start_and_end[0], start_and_end[-1]
        added = self._tokenizer.get_added_tokens_decoder()
        self._control_ids = frozenset(number for number, token in added.items() if token.special)
        self._unknown_id = self._tokenizer.token_to_id("<unk>") or self._tokenizer.token_to_id("[UNK]")
        self._session: onnxruntime.InferenceSession | None = _session(
            read_verified(folder, manifest, "model.onnx"), device, threads
        )
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._outputs = {item.name for item in self._session.get_outputs()}
        if _LOGITS not in self._outputs or not {"input_ids", "attention_mask"} <= self._inputs:
            raise ModelDamaged(f"model.onnx of {manifest.name} is not a token classifier.")
        running = "cuda" if self._session.get_providers()[0] == _PROVIDERS["cuda"] else "cpu"
        self._info = DetectorInfo(id=manifest.id, format="onnx", device=running, languages=manifest.languages)

    @property
    def info(self) -> DetectorInfo:
        return self._info

    @property
    def has_vectors(self) -> bool:
        return _SENTENCE in self._outputs

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        """See `Detector.detect`. This model judges a text by itself: `context` is not read."""
        if not text.strip():
            return Detection(findings=(), leak_score=0.0, checked_by="model")
        rules = self._rules.of(text)
        judged = [apply_rules(part, rules) for part in self._decoded(text, rules)]
        findings = tuple(_finding(text, span) for spans, _ in judged for span in spans)
        leak_score = max(score for _, score in judged)
        return Detection(findings=findings, leak_score=min(1.0, leak_score), checked_by="model")

    def logits(self, text: str) -> tuple[Floats, Offsets]:
        """Logits (tokens + 1, width) of the whole `text`, windows merged, and its tokens' code-point offsets.

        The first row is the start token of the first window; for choosing rules without running again.
        """
        rows, offsets, _, _ = self._merged(text)
        return rows, offsets

    def _decoded(self, text: str, rules: DecodingRules) -> list[Decoded]:
        """The spans and leak score of each window of `text`, before `apply_rules`."""
        rows, row_offsets, windows, leaks = self._merged(text)
        # The start row belongs to the first window, so only a text of one window can be decoded again.
        whole = decode(
            rows,
            row_offsets,
            text,
            self._layout,
            inside_bias=rules.inside_bias,
            sure_leak=rules.sure_leak if len(windows) == 1 else 1.0,
        )
        return by_window(windows, leaks, whole, row_offsets[1:])

    def _merged(self, text: str) -> tuple[Floats, Offsets, list[Window], list[float]]:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        offsets: list[tuple[int, int]] = encoding.offsets
        windows = windows_of(len(offsets))
        logits = self._logits(self._typed(encoding.ids), windows)
        leaks = [float(softmax(part[0, list(self._layout.columns["leak"])])[1]) for part in logits]
        rows, row_offsets = merge_logits(windows, logits, offsets)
        return rows, row_offsets, windows, leaks

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Sentence vectors float32 (n, hidden) of length 1, near each other for texts of like meaning.

        Only a text's first window counts. Raises: `DetectorError` when the model has no such output.
        """
        if not self.has_vectors:
            raise DetectorError(
                "this model has no sentence output; export it again with `limen quantize onnx`"
            )
        if not texts:
            raise ValueError("no texts to embed")
        vectors: list[npt.NDArray[np.float32]] = []
        for text in texts:
            ids = self._typed(self._tokenizer.encode(text, add_special_tokens=False).ids)
            window = windows_of(len(ids))[0]
            (vector,) = self._run([ids[window.begin : window.end]], _SENTENCE)
            vectors.append(vector / max(float(np.linalg.norm(vector)), 1e-12))
        return np.stack(vectors).astype(np.float32)

    def _typed(self, ids: list[int]) -> list[int]:
        """`ids`, with control tokens that someone typed ("</s>") made unknown ones: text is never control."""
        if self._unknown_id is None or self._control_ids.isdisjoint(ids):
            return ids
        return [self._unknown_id if number in self._control_ids else number for number in ids]

    def close(self) -> None:
        """Release the session. Idempotent; a later `detect` raises `DetectorError`."""
        self._session = None

    def _logits(self, ids: list[int], windows: Sequence[Window]) -> list[Floats]:
        """Logits (window's tokens + 2, width) of each window."""
        logits: list[Floats] = []
        for batch in batches(windows, batch_tokens=_BATCH_TOKENS):
            rows = [ids[window.begin : window.end] for window in batch]
            output = self._run(rows, _LOGITS)
            logits += [part[: len(row) + 2] for part, row in zip(output, rows, strict=True)]
        return logits

    def _run(self, rows: list[list[int]], output: str) -> Floats:
        session = self._session
        if session is None:
            raise DetectorError("the detector is closed")
        longest = max(len(row) for row in rows) + 2
        input_ids = np.zeros((len(rows), longest), dtype=np.int64)
        attention_mask = np.zeros_like(input_ids)
        for index, row in enumerate(rows):
            input_ids[index, : len(row) + 2] = [self._start_id, *row, self._end_id]
            attention_mask[index, : len(row) + 2] = 1
        feed = {"input_ids": input_ids, "attention_mask": attention_mask}
        if "token_type_ids" in self._inputs:
            feed["token_type_ids"] = np.zeros_like(input_ids)
        try:
            (values,) = session.run([output], feed)
        except Exception as error:
            # ONNX Runtime's messages can quote input values, so only the kind of error goes on.
            raise DetectorError(f"the model failed ({type(error).__name__})") from None
        return np.asarray(values, dtype=np.float32)


def _finding(text: str, span: DecodedSpan) -> Finding:
    return Finding(
        start=span.start,
        end=span.end,
        phrase=text[span.start : span.end],
        category=span.category,
        subject=span.subject,
        granularity=span.granularity,
        identifiability=span.identifiability,
        score=min(1.0, max(0.0, span.score)),
        information="",
    )


def _layout(config: bytes) -> LabelLayout:
    try:
        id2label: Any = json.loads(config)["id2label"]
        return LabelLayout.from_id2label(id2label)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ModelDamaged("config.json of the model has no usable id2label. Add the model again.") from None


def _rules(manifest: Manifest) -> DecodingRules:
    try:
        return DecodingRules.model_validate((manifest.model_extra or {}).get("decoding", {}))
    except ValidationError:
        raise ModelDamaged(f"The manifest of {manifest.name} has a wrong decoding rule.") from None


def _tokenizer(content: bytes) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_buffer(content)
    except Exception:
        raise ModelDamaged("tokenizer.json cannot be read. Add the model again.") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _session(content: bytes, device: str, threads: int) -> onnxruntime.InferenceSession:
    check_onnx(content)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(content, options, providers=_providers(device))
    except ConfigError:
        raise
    except Exception as error:
        raise ModelDamaged(f"ONNX Runtime cannot load the model ({type(error).__name__}).") from error


def _providers(device: str) -> list[str]:
    """ONNX Runtime's providers for `device`, the wanted one first and the CPU always behind it."""
    available = onnxruntime.get_available_providers()
    if device not in {"auto", *_PROVIDERS}:
        raise ConfigError(f"there is no device {device!r}; choose auto, cpu or cuda")
    if device == "cuda" and _PROVIDERS["cuda"] not in available:
        raise ConfigError("this ONNX Runtime has no CUDA: pip install 'limen[gpu]', or choose --device cpu")
    wanted = ["cuda"] if device != "cpu" and _PROVIDERS["cuda"] in available else []
    return [_PROVIDERS[name] for name in [*wanted, "cpu"]]
