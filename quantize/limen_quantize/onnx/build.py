"""From a finished training run to a model folder; the quantized model's parity is measured on the way."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field
from tokenizers import Tokenizer

from limen_daemon.detector.decode import DecodingRules
from limen_daemon.detector.layout import LabelLayout
from limen_daemon.detector.onnx import OnnxDetector
from limen_quantize.answers import Answer
from limen_quantize.errors import TrainingError
from limen_quantize.likeness import fit_for_choosing
from limen_quantize.onnx.export import export_float
from limen_quantize.onnx.folder import replaced, write_model
from limen_quantize.onnx.parity import Parity, parity
from limen_quantize.onnx.quantization import Precision, QuantizationSettings, quantize
from limen_quantize.onnx.sentence import add_sentence_output
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.readers import read
from limen_quantize.record import RunRecord, read_record
from limen_quantize.rules import choose_rules
from limen_quantize.split import split

_CALIBRATED: tuple[Precision, ...] = ("int8", "int8-static")
_CALIBRATION_QUERIES = 300
_CALIBRATION_TOKENS = 128


class BuildConfig(BaseModel):
    """What to build from which run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: Path
    """Folder of a finished `limen quantize train`."""
    out: Path
    name: str
    version: str = "1"
    precision: Precision = "int8"
    quantization: QuantizationSettings = QuantizationSettings()
    sentence_layer: int = Field(default=4, ge=0)
    """The layer, counted from 0, whose mean is the sentence vector."""
    parity_queries: int = Field(default=400, ge=0)
    """Training queries (held-out ones, if the run has them) to measure the parity on; 0 skips it."""
    own_rules: bool = True
    """Choose the decoding rules again by the quantized model's answers to the held-out queries."""
    licence: str = "Apache-2.0 (weights fine-tuned from multilingual-e5-small, MIT)"
    overwrite: bool = False


def build(config: BuildConfig) -> Parity | None:
    """Export, quantize, measure parity against the float model, and put the folder in place.

    Parity is measured under the run's rules for both models, before the quantized one gets its own.

    Raises: `TrainingError` when the run is not finished or `out` exists.
    """
    record = read_record(config.run)
    if record is None or record.state != "finished":
        raise TrainingError(f"{config.run} holds no finished training run")
    network = config.run / "network"
    queries = parity_queries(record, config.parity_queries)
    full = add_sentence_output(export_float(network), layer=config.sentence_layer)
    feeds = _feeds(network, calibration_queries(record)) if config.precision in _CALIBRATED else ()
    made = quantize(full, config.precision, config.quantization, feeds)
    manifest = manifest_of(config, record)
    measured: Parity | None = None
    with replaced(config.out, overwrite=config.overwrite) as folder:
        write_model(folder, made, network=network, manifest=manifest)
        if queries and config.precision != "fp32":
            with tempfile.TemporaryDirectory(prefix="limen-float-") as scratch:
                write_model(Path(scratch), full, network=network, manifest=manifest)
                measured = parity(Path(scratch), folder, queries)
            manifest["parity"] = {
                "queries": len(queries),
                "loss_points": round(measured.loss_points, 3),
                "same_answer": round(measured.same_answer, 4),
            }
            write_model(folder, made, network=network, manifest=manifest)
        if config.own_rules and (told := _fit_for_choosing(record)):
            manifest["decoding"] = rules_for(folder, told).model_dump(mode="json")
            write_model(folder, made, network=network, manifest=manifest)
    return measured


def rules_for(folder: Path, queries: Sequence[AnnotatedQuery]) -> DecodingRules:
    """The best rules for a model folder's own answers; quantizing shifts scores, if only by a little."""
    detector = OnnxDetector(folder, device="cpu", threads=1)
    try:
        answers = [Answer(query, *detector.logits(query.text)) for query in queries]
    finally:
        detector.close()
    return choose_rules(answers, LabelLayout.standard())[0]


def manifest_of(config: BuildConfig, record: RunRecord) -> dict[str, Any]:
    """Everything in the manifest but the files: what it is, where it came from, how it is decoded."""
    return {
        "name": config.name,
        "version": config.version,
        "format": "onnx",
        "precision": config.precision,
        "licence": config.licence,
        "languages": ["en", "zh"],
        "base": Path(record.config.base).name if "/" in record.config.base else record.config.base,
        "trained_on": [
            {
                "file": Path(item.source).name if item.sha256 else item.source,
                "sha256": item.sha256,
                "queries": item.queries,
                "disclosing": item.disclosing,
            }
            for item in record.data
        ],
        "training": {
            "config": record.config.model_dump(mode="json", exclude={"base", "data", "out"}),
            "versions": record.versions,
            "started_at": record.started_at,
            "finished_at": record.finished_at,
            **({"teachers": [t.model_dump(mode="json") for t in record.teachers]} if record.teachers else {}),
            **{
                name: [one.model_dump(mode="json") for one in learned_from]
                for name, learned_from in (
                    ("second_readings", record.second_readings),
                    ("answers", record.answers),
                    ("unannotated", record.unannotated),
                )
                if learned_from
            },
            **({"blend": record.blend.model_dump(mode="json")} if record.blend else {}),
            "held_out": {k: v.model_dump(mode="json") for k, v in record.held_out.items()},
        },
        "decoding": record.decoding.model_dump(mode="json"),
        "sentence_layer": config.sentence_layer,
    }


def parity_queries(record: RunRecord, limit: int) -> list[AnnotatedQuery]:
    """Up to `limit` of the run's held-out queries; of all its queries when it held none out."""
    chosen = _held_out(record) or [query for source in record.config.data for query in read(source)]
    random.Random(0).shuffle(chosen)  # noqa: S311
    return chosen[:limit]


def calibration_queries(record: RunRecord) -> list[AnnotatedQuery]:
    """Queries that the run learned from, of both languages."""
    queries = [query for source in record.config.data for query in read(source)]
    learned = split(queries, record.config.holdout)[0]
    random.Random(0).shuffle(learned)  # noqa: S311
    return learned[:_CALIBRATION_QUERIES]


def _held_out(record: RunRecord) -> list[AnnotatedQuery]:
    queries = [query for source in record.config.data for query in read(source)]
    return split(queries, record.config.holdout)[1]


def _fit_for_choosing(record: RunRecord) -> list[AnnotatedQuery]:
    queries = [query for source in record.config.data for query in read(source)]
    learned, held_out = split(queries, record.config.holdout)
    return fit_for_choosing(held_out, learned)


def _feeds(network: Path, queries: Sequence[AnnotatedQuery]) -> list[dict[str, npt.NDArray[np.int64]]]:
    tokenizer = Tokenizer.from_file(str(network / "tokenizer.json"))
    tokenizer.enable_truncation(_CALIBRATION_TOKENS)
    feeds = []
    for query in queries:
        ids = np.asarray([tokenizer.encode(query.text).ids], dtype=np.int64)
        feeds.append(
            {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        )
    return feeds
