"""Evening out the inputs of matrix products, so that one INT8 scale fits all of them.

A few channels of an encoder's hidden states are far larger than the others. Dividing each channel by a
factor and multiplying the matrix's row by the same changes nothing in float, and moves the difficulty from
the inputs, which share one scale, to the weights, which have one per column (SmoothQuant, Xiao et al. 2023,
equation 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

Floats = npt.NDArray[np.float32]
_LEAST = 1e-5


def largest_inputs(
    model: onnx.ModelProto, nodes: set[str], feeds: Sequence[dict[str, npt.NDArray[np.int64]]]
) -> dict[str, Floats]:
    """For the input of each matrix product in `nodes`, by its tensor's name: the largest absolute value of
    each channel, (channels,), over all `feeds`."""
    from onnxruntime import InferenceSession

    names = list(dict.fromkeys(node.input[0] for node in model.graph.node if node.name in nodes))
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    session = InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    largest: dict[str, Floats] = {}
    for feed in feeds:
        outputs: Sequence[Any] = session.run(names, feed)
        for name, values in zip(names, outputs, strict=True):
            channels = np.abs(values).reshape(-1, values.shape[-1]).max(axis=0)
            largest[name] = np.maximum(largest.get(name, channels), channels)
    return largest


def smooth(
    model: onnx.ModelProto, nodes: set[str], largest: dict[str, Floats], *, strength: float
) -> onnx.ModelProto:
    """`model` with the inputs of `nodes` evened out; what it computes stays the same.

    `largest`: of `largest_inputs`. `strength` (0 to 1): how much of the difference goes to the weights.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    weights = {one.name: one for one in made.graph.initializer}
    products: dict[str, list[onnx.NodeProto]] = {}
    for node in made.graph.node:
        if node.name in nodes:
            products.setdefault(node.input[0], []).append(node)
    before: dict[str, onnx.NodeProto] = {}
    for name, sharing in products.items():
        matrices = [numpy_helper.to_array(weights[node.input[1]]).astype(np.float32) for node in sharing]
        rows = np.max([np.abs(matrix).max(axis=1) for matrix in matrices], axis=0)
        factor = np.maximum(largest[name], _LEAST) ** strength / np.maximum(rows, _LEAST) ** (1 - strength)
        factor = (factor / np.exp(np.log(factor).mean())).astype(np.float32)
        divisor = numpy_helper.from_array((1.0 / factor).astype(np.float32), f"{name}_evened_by")
        made.graph.initializer.append(divisor)
        evened = f"{name}_evened"
        before[sharing[0].name] = helper.make_node("Mul", [name, divisor.name], [evened], name=evened)
        for node, matrix in zip(sharing, matrices, strict=True):
            scaled = np.ascontiguousarray(matrix * factor[:, None])
            weights[node.input[1]].CopyFrom(numpy_helper.from_array(scaled, node.input[1]))
            node.input[0] = evened
    ordered = [one for node in made.graph.node for one in (before.get(node.name), node) if one is not None]
    del made.graph.node[:]
    made.graph.node.extend(ordered)
    return made
