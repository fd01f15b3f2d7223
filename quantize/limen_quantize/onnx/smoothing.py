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
    model: onnx.ModelProto, nodes: set[str], largest: dict[str, Floats], *, strength: float, apart: int = 0
) -> tuple[onnx.ModelProto, set[str]]:
    """`model` with the inputs of `nodes` evened out, and the names of its new products that must stay float;
    what it computes stays the same.

    `largest`: of `largest_inputs`. `strength` (0 to 1): how much of the difference goes to the weights.
    `apart`: so many of each input's loudest channels get a small float product of their own, beside the
    large one, which sees zeros there (as LLM.int8() does, Dettmers et al. 2022, with channels that are known
    beforehand). Each product must be followed by the addition of its bias then.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    weights = {one.name: one for one in made.graph.initializer}
    products: dict[str, list[onnx.NodeProto]] = {}
    for node in made.graph.node:
        if node.name in nodes:
            products.setdefault(node.input[0], []).append(node)
    before: dict[str, list[onnx.NodeProto]] = {}
    after: dict[str, list[onnx.NodeProto]] = {}
    for name, sharing in products.items():
        matrices = [numpy_helper.to_array(weights[node.input[1]]).astype(np.float32) for node in sharing]
        loud = np.sort(np.argsort(largest[name])[::-1][:apart])
        factor = _factors(largest[name], matrices, loud, strength)
        divisor = (1.0 / factor).astype(np.float32)
        divisor[loud] = 0.0
        made.graph.initializer.append(numpy_helper.from_array(divisor, f"{name}_evened_by"))
        evened = f"{name}_evened"
        before[sharing[0].name] = [
            helper.make_node("Mul", [name, f"{name}_evened_by"], [evened], name=evened)
        ]
        if apart:
            made.graph.initializer.append(numpy_helper.from_array(loud.astype(np.int64), f"{name}_loud_at"))
            loud_part = helper.make_node("Gather", [name, f"{name}_loud_at"], [f"{name}_loud"], axis=-1)
            before[sharing[0].name].append(loud_part)
        for node, matrix in zip(sharing, matrices, strict=True):
            scaled = matrix * factor[:, None]
            if apart:
                rows = numpy_helper.from_array(np.ascontiguousarray(matrix[loud]), f"{node.input[1]}_loud")
                made.graph.initializer.append(rows)
                biased = _bias_of(made, node)
                after[biased.name] = _added(f"{name}_loud", rows.name, node, biased)
                scaled[loud] = 0.0
            weights[node.input[1]].CopyFrom(
                numpy_helper.from_array(np.ascontiguousarray(scaled), node.input[1])
            )
            node.input[0] = evened
    ordered = [
        one
        for node in made.graph.node
        for one in (*before.get(node.name, ()), node, *after.get(node.name, ()))
    ]
    del made.graph.node[:]
    made.graph.node.extend(ordered)
    return made, {one.name for few in after.values() for one in few if one.op_type == "MatMul"}


def _factors(
    largest: Floats, matrices: Sequence[Floats], loud: npt.NDArray[np.int64], strength: float
) -> Floats:
    """What each channel is divided by; channels that go apart count as the loudest of the others."""
    rows = np.max([np.abs(matrix).max(axis=1) for matrix in matrices], axis=0)
    inputs = largest.copy()
    inputs[loud] = np.delete(largest, loud).max()
    factor = np.maximum(inputs, _LEAST) ** strength / np.maximum(rows, _LEAST) ** (1 - strength)
    return np.asarray(factor / np.exp(np.log(factor).mean()), dtype=np.float32)


def _bias_of(model: onnx.ModelProto, product: onnx.NodeProto) -> onnx.NodeProto:
    """The addition that follows `product`. The loud channels' part is added behind it, so that ONNX Runtime
    still sees an INT8 product and its bias as one."""
    found: onnx.NodeProto = next(
        one for one in model.graph.node if one.op_type == "Add" and product.output[0] in one.input
    )
    return found


def _added(channels: str, rows: str, product: onnx.NodeProto, biased: onnx.NodeProto) -> list[onnx.NodeProto]:
    """Nodes that add `channels` times `rows` to what `biased` gives; renames the output of `biased`."""
    part, total = f"{product.name}_loud", biased.output[0]
    biased.output[0] = f"{total}_quiet"
    return [
        helper.make_node("MatMul", [channels, rows], [part], name=part),
        helper.make_node("Add", [biased.output[0], part], [total], name=f"{part}_added"),
    ]
