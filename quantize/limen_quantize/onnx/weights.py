"""Stores chosen matrices as INT8, one scale per column; ONNX Runtime makes them float when it loads."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def store_int8(model: onnx.ModelProto, products: set[str]) -> onnx.ModelProto:
    """Return `model` with the constant matrices of the MatMul nodes named `products` stored as INT8.

    Only the file shrinks: the products themselves are computed in float, so large inputs do no harm.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    matrices = {item.name: item for item in made.graph.initializer}
    nodes: list[onnx.NodeProto] = []
    for node in made.graph.node:
        if node.op_type == "MatMul" and node.name in products and node.input[1] in matrices:
            name = node.input[1]
            matrix = numpy_helper.to_array(matrices[name])
            scales = np.maximum(np.abs(matrix).max(axis=0, keepdims=True) / 127.0, 1e-12).astype(np.float32)
            columns = np.clip(np.rint(matrix / scales), -127, 127).astype(np.int8)
            made.graph.initializer.remove(matrices[name])
            made.graph.initializer.append(numpy_helper.from_array(columns, f"{name}_int8"))
            made.graph.initializer.append(numpy_helper.from_array(scales, f"{name}_scale"))
            nodes.append(helper.make_node("Cast", [f"{name}_int8"], [f"{name}_cast"], to=TensorProto.FLOAT))
            nodes.append(helper.make_node("Mul", [f"{name}_cast", f"{name}_scale"], [name]))
        nodes.append(node)
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    return made
