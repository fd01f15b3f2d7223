"""Adds a second graph output: one vector per text, the masked mean of a middle layer's hidden states.

Fine-tuning bends the last layers towards tags; a lower layer keeps what the encoder knew of meaning (the
model card has the figures per layer), and costs nothing beyond the mean, since the graph computes it anyway.
"""

from __future__ import annotations

import re

import onnx
from onnx import TensorProto, helper

from limen_quantize.errors import TrainingError

OUTPUT = "sentence"
_LAYER_END = re.compile(r"/encoder/layer\.(\d+)/output/LayerNorm/")


def add_sentence_output(model: onnx.ModelProto, *, layer: int) -> onnx.ModelProto:
    """Return `model` with output `sentence`, float32 (batch, hidden): the mean of layer `layer`, from 0.

    Raises: `TrainingError` when the graph has no such layer.
    """
    ends: dict[int, str] = {}
    for node in model.graph.node:
        match = _LAYER_END.search(node.name)
        if match:
            ends[int(match.group(1))] = node.output[0]
    if layer not in ends:
        raise TrainingError(f"the exported graph has no layer {layer}; it has {len(ends)}")
    made = onnx.ModelProto()
    made.CopyFrom(model)
    hidden = ends[layer]
    made.graph.initializer.extend(
        [
            helper.make_tensor("sentence_last_axis", TensorProto.INT64, [1], [2]),
            helper.make_tensor("sentence_token_axis", TensorProto.INT64, [1], [1]),
        ]
    )
    made.graph.node.extend(
        [
            helper.make_node("Cast", ["attention_mask"], ["sentence_mask"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["sentence_mask", "sentence_last_axis"], ["sentence_weights"]),
            helper.make_node("Mul", [hidden, "sentence_weights"], ["sentence_weighted"]),
            helper.make_node(
                "ReduceSum", ["sentence_weighted", "sentence_token_axis"], ["sentence_sum"], keepdims=0
            ),
            helper.make_node(
                "ReduceSum", ["sentence_mask", "sentence_token_axis"], ["sentence_count"], keepdims=1
            ),
            helper.make_node("Div", ["sentence_sum", "sentence_count"], [OUTPUT]),
        ]
    )
    made.graph.output.append(
        helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch_size", "hidden"])
    )
    onnx.checker.check_model(made)
    return made
