"""The ways to shrink a float model: dynamic INT8 (shipped), static INT8 (calibrated) and FP16."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import onnx
from pydantic import BaseModel, ConfigDict, Field

from limen_quantize.errors import TrainingError
from limen_quantize.onnx.embeddings import quantize_embeddings
from limen_quantize.onnx.smoothing import largest_inputs, smooth
from limen_quantize.onnx.weights import store_int8

_FEED_FORWARD_OUT = re.compile(r"/encoder/layer\.(\d+)/output/dense/MatMul$")
_FEED_FORWARD_IN = re.compile(r"/encoder/layer\.\d+/intermediate/dense/MatMul$")

Precision = Literal["fp32", "fp16", "int8", "int8-static"]


class QuantizationSettings(BaseModel):
    """How matrices become INT8."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    per_channel: bool = True
    """One scale per output column of a matrix."""
    reduce_range: bool = True
    """7-bit weights: processors without VNNI add products in 16 bits, which 8-bit weights overflow."""
    smoothing: float = Field(default=0.6, ge=0, le=1)
    """How much of the differences between input channels is moved into the weights, where inputs become
    INT8; 0: none. Needs texts to calibrate on."""
    loud_channels: int = Field(default=24, ge=0, le=64)
    """So many channels of each input of a feed-forward matrix, the loudest, stay float: a few are so large
    that one INT8 scale for all would leave nothing of the others. Needs smoothing."""
    loud_attention_channels: int = Field(default=12, ge=0, le=64)
    """The same for the attention's matrices."""
    float_activation_layers: tuple[int, ...] = (3, 4, 5)
    """Layers whose feed-forward output keeps float inputs altogether, though its weights are INT8 as well:
    there single tokens are loud, whatever the channel (see the model card)."""
    float_feed_forward_inputs: bool = False
    """Keep every layer's inputs to the first feed-forward matrix float too."""
    skip_classifier: bool = True
    """Keep the small last matrix in float: it costs 60 kB and holds every decision."""


def quantize(
    model: onnx.ModelProto,
    precision: Precision,
    settings: QuantizationSettings,
    calibration: Sequence[dict[str, np.ndarray]] = (),
) -> onnx.ModelProto:
    """Return `model` in `precision`. `calibration`: feeds of a hundred or so real texts, for `int8-static`
    and for smoothing; without them there is no smoothing.

    Raises: `TrainingError` when calibration data is missing.
    """
    if precision == "fp32":
        return model
    if precision == "fp16":
        return _half(model)
    if precision == "int8-static" and not calibration:
        raise TrainingError("static INT8 needs texts to calibrate on; pass --calibration")
    kept = float_activation_nodes(model, settings)
    loud: set[str] = set()
    if settings.smoothing and calibration:
        model, loud = _evened(model, settings, _int8_inputs(model, settings, kept), calibration)
    made = _matrices(model, settings, kept | loud, calibration if precision == "int8-static" else ())
    # These come last: the quantizer before must not see what they make as something to quantize.
    return quantize_embeddings(store_int8(made, kept))


def float_activation_nodes(model: onnx.ModelProto, settings: QuantizationSettings) -> set[str]:
    """Names of the matrix products whose inputs stay float."""
    names = [node.name for node in model.graph.node]
    found = ((name, _FEED_FORWARD_OUT.search(name)) for name in names)
    kept = {name for name, match in found if match and int(match[1]) in settings.float_activation_layers}
    if settings.float_feed_forward_inputs:
        kept |= {name for name in names if _FEED_FORWARD_IN.search(name)}
    return kept


def _evened(
    model: onnx.ModelProto,
    settings: QuantizationSettings,
    nodes: set[str],
    calibration: Sequence[dict[str, np.ndarray]],
) -> tuple[onnx.ModelProto, set[str]]:
    """`model` with the inputs of `nodes` evened out; and the names of the small products that stay float."""
    largest = largest_inputs(model, nodes, calibration)
    forward = {name for name in nodes if _FEED_FORWARD_OUT.search(name) or _FEED_FORWARD_IN.search(name)}
    made: set[str] = set()
    for some, apart in (
        (nodes - forward, settings.loud_attention_channels),
        (forward, settings.loud_channels),
    ):
        model, few = smooth(model, some, largest, strength=settings.smoothing, apart=apart)
        made |= few
    return model, made


def _int8_inputs(model: onnx.ModelProto, settings: QuantizationSettings, kept: set[str]) -> set[str]:
    """Names of the matrix products whose inputs become INT8."""
    weights = {one.name for one in model.graph.initializer}
    return {
        node.name
        for node in model.graph.node
        if node.op_type == "MatMul"
        and node.input[1] in weights
        and node.name not in kept
        and not (settings.skip_classifier and "/classifier/" in node.name)
    }


def _half(model: onnx.ModelProto) -> onnx.ModelProto:
    from onnxruntime.transformers.float16 import convert_float_to_float16

    converted: onnx.ModelProto = convert_float_to_float16(model, keep_io_types=True)
    return converted


def _matrices(
    model: onnx.ModelProto,
    settings: QuantizationSettings,
    kept: set[str],
    calibration: Sequence[dict[str, np.ndarray]],
) -> onnx.ModelProto:
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_dynamic, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    excluded = [
        node.name
        for node in model.graph.node
        if node.op_type == "MatMul" and settings.skip_classifier and "/classifier/" in node.name
    ] + sorted(kept)
    # Silences a hint about symbolic shapes that ONNX Runtime logs at every run.
    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="limen-quantize-") as scratch:
        source, prepared, target = (Path(scratch) / name for name in ("f.onnx", "p.onnx", "q.onnx"))
        onnx.save(model, str(source))
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        if calibration:
            quantize_static(
                str(prepared),
                str(target),
                _Feeds(calibration),
                quant_format=QuantFormat.QDQ,
                op_types_to_quantize=["MatMul"],
                per_channel=settings.per_channel,
                reduce_range=settings.reduce_range,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
                nodes_to_exclude=excluded,
            )
        else:
            quantize_dynamic(
                str(prepared),
                str(target),
                op_types_to_quantize=["MatMul"],
                per_channel=settings.per_channel,
                reduce_range=settings.reduce_range,
                weight_type=QuantType.QInt8,
                nodes_to_exclude=excluded,
                extra_options={"MatMulConstBOnly": True},
            )
        return onnx.load(str(target))


class _Feeds:
    """Calibration data as ONNX Runtime reads it: one feed after the other, then None."""

    def __init__(self, feeds: Sequence[dict[str, np.ndarray]]) -> None:
        self._feeds: Iterator[dict[str, np.ndarray]] = iter(feeds)

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._feeds, None)
