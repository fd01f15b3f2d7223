"""Stores the word embeddings as INT8 with one scale per row: half of the file, at almost no loss.

ONNX Runtime's own dynamic quantization gives the whole matrix one scale, which rare words pay for.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from limen_quantize.errors import TrainingError

_MIN_ROWS = 1024
"""Smaller tables (positions, token types) are not worth it."""


def quantize_embeddings(model: onnx.ModelProto) -> onnx.ModelProto:
    """Replace the float word table (rows, width) by INT8 rows and float32 scales (rows, 1).

    Raises: `TrainingError` when the graph looks up no such table.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    tables = {item.name: item for item in graph.initializer if item.dims and item.dims[0] >= _MIN_ROWS}
    nodes = list(graph.node)
    lookups = [i for i, node in enumerate(nodes) if node.op_type == "Gather" and node.input[0] in tables]
    if not lookups:
        raise TrainingError("the graph has no word embedding table to quantize")
    position = lookups[0]
    lookup = nodes[position]
    table = tables[lookup.input[0]]
    rows, scales = int8_rows(numpy_helper.to_array(table))
    graph.initializer.remove(table)
    graph.initializer.append(numpy_helper.from_array(rows, f"{table.name}_int8"))
    graph.initializer.append(numpy_helper.from_array(scales, f"{table.name}_scale"))
    nodes[position : position + 1] = _dequantized_lookup(table.name, lookup)
    del graph.node[:]
    graph.node.extend(nodes)
    return made


def _dequantized_lookup(table: str, lookup: onnx.NodeProto) -> list[onnx.NodeProto]:
    indices, output = lookup.input[1], lookup.output[0]
    return [
        helper.make_node("Gather", [f"{table}_int8", indices], [f"{output}_int8"], f"{lookup.name}_int8"),
        helper.make_node("Cast", [f"{output}_int8"], [f"{output}_cast"], to=TensorProto.FLOAT),
        helper.make_node("Gather", [f"{table}_scale", indices], [f"{output}_scale"], f"{lookup.name}_scale"),
        helper.make_node("Mul", [f"{output}_cast", f"{output}_scale"], [output]),
    ]


def int8_rows(table: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Symmetric INT8 rows and their float32 scales (rows, 1); their product is the table again."""
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True) / 127.0, 1e-12).astype(np.float32)
    return np.clip(np.rint(table / scales), -127, 127).astype(np.int8), scales
