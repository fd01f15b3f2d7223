"""Evening out the inputs of matrix products before they become INT8."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    import onnx

CHANNELS, OUTPUTS, LOUD = 16, 8, 3


@pytest.fixture(scope="module", autouse=True)
def _train_extra() -> None:
    pytest.importorskip("onnx", reason="onnx (extra train) is not installed")


def _model() -> onnx.ModelProto:
    """Two matrix products that share an input with one loud channel."""
    from onnx import TensorProto, helper, numpy_helper

    chance = np.random.default_rng(5)
    matrices = [chance.standard_normal((CHANNELS, OUTPUTS)).astype(np.float32) for _ in range(2)]
    for matrix in matrices:
        matrix[LOUD] *= 0.05
    shape = ("rows", CHANNELS)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", f"w{i}"], [f"y{i}"], name=f"/layer/{i}/MatMul") for i in range(2)],
        "two",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, ("rows", OUTPUTS)) for i in range(2)],
        [numpy_helper.from_array(matrix, f"w{i}") for i, matrix in enumerate(matrices)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def _inputs() -> np.ndarray:
    rows = np.random.default_rng(6).standard_normal((40, CHANNELS)).astype(np.float32)
    rows[:, LOUD] *= 60
    return rows


def _outputs(model: onnx.ModelProto) -> list[np.ndarray]:
    from onnxruntime import InferenceSession

    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return [np.asarray(one) for one in session.run(None, {"x": _inputs()})]


def _smoothed(strength: float) -> onnx.ModelProto:
    from limen_quantize.onnx.smoothing import largest_inputs, smooth

    model = _model()
    nodes = {node.name for node in model.graph.node}
    return smooth(model, nodes, largest_inputs(model, nodes, [{"x": _inputs()}]), strength=strength)


def test_the_largest_input_of_each_channel_is_found() -> None:
    from limen_quantize.onnx.smoothing import largest_inputs

    model = _model()
    found = largest_inputs(model, {node.name for node in model.graph.node}, [{"x": _inputs()}])
    assert list(found) == ["x"]
    assert np.array_equal(found["x"], np.abs(_inputs()).max(axis=0))


@pytest.mark.parametrize("strength", [0.0, 0.6, 1.0])
def test_the_float_model_computes_the_same(strength: float) -> None:
    for before, after in zip(_outputs(_model()), _outputs(_smoothed(strength)), strict=True):
        assert np.allclose(before, after, rtol=1e-4, atol=1e-3)


def test_products_that_share_an_input_share_its_factors() -> None:
    nodes = _smoothed(0.6).graph.node
    assert [node.op_type for node in nodes] == ["Mul", "MatMul", "MatMul"]
    assert {node.input[0] for node in nodes[1:]} == {nodes[0].output[0]}


def test_int8_comes_closer_to_float(tmp_path: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    exact = _outputs(_model())
    errors = []
    for model in (_model(), _smoothed(0.6)):
        onnx.save(model, str(tmp_path / "float.onnx"))
        quantize_dynamic(
            str(tmp_path / "float.onnx"),
            str(tmp_path / "int8.onnx"),
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            weight_type=QuantType.QInt8,
        )
        found = _outputs(onnx.load(str(tmp_path / "int8.onnx")))
        errors.append(max(float(np.abs(a - b).mean()) for a, b in zip(exact, found, strict=True)))
    plain, evened = errors
    assert evened < 0.5 * plain
