"""Reads the weights of an exported model back as the network's own float tensors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

_LAYER = re.compile(
    r"layer\.(\d+)/(attention/self/(?:query|key|value)|(?:attention/output|intermediate|output)/dense)/MatMul"
)
_STORED_AS = re.compile(r"_(quantized|int8|cast)$")
_WORDS = "bert.embeddings.word_embeddings.weight"

Weights = dict[str, npt.NDArray[np.float32]]


def network_weights(path: Path) -> Weights:
    """Parameters by their names in the network, float32; INT8 ones are multiplied by their scales again.

    What INT8 rounded away stays away: at most half a step of each weight.
    """
    graph = onnx.load(path).graph
    stored = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    weights: Weights = {
        name: np.array(value, dtype=np.float32)
        for name, value in stored.items()
        if name.startswith(("bert.", "classifier.")) and not name.endswith(("_int8", "_scale"))
    }
    if _WORDS not in weights:
        weights[_WORDS] = stored[f"{_WORDS}_int8"].astype(np.float32) * stored[f"{_WORDS}_scale"]
    for node in graph.node:
        name = _parameter_of(node.name)
        if name is not None and node.op_type in ("MatMul", "MatMulInteger"):
            base = _STORED_AS.sub("", node.input[1])
            matrix = _matrix(base, stored)
            # An input that was evened out (`smoothing`) has its factors in the matrix.
            evened_by = stored.get(f"{node.input[0].removesuffix('_quantized')}_by")
            if evened_by is not None:
                matrix = matrix * evened_by[:, None]
                if f"{base}_loud" in stored:  # channels apart: the large product sees zeros there
                    matrix[evened_by == 0] = stored[f"{base}_loud"]
            weights[name] = np.ascontiguousarray(matrix.T)
    return weights


def _parameter_of(node: str) -> str | None:
    if node.startswith("/classifier/MatMul"):
        return "classifier.weight"
    found = _LAYER.search(node)
    if found is None:
        return None
    return f"bert.encoder.layer.{found[1]}.{found[2].replace('/', '.')}.weight"


def _matrix(base: str, stored: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.float32]:
    """The (inputs, outputs) matrix that a MatMul uses, however it is stored."""
    if f"{base}_quantized" in stored:
        steps = stored[f"{base}_quantized"].astype(np.float32)
        steps -= stored[f"{base}_zero_point"].astype(np.float32)
        return np.asarray(steps * stored[f"{base}_scale"], dtype=np.float32)
    if f"{base}_int8" in stored:
        return np.asarray(stored[f"{base}_int8"].astype(np.float32) * stored[f"{base}_scale"])
    return np.asarray(stored[base], dtype=np.float32)
