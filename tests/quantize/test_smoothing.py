"""Evening out the inputs of matrix products before they become INT8."""

from __future__ import annotations

from collections.abc import Collection
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


def _model(*, biased: bool = False) -> onnx.ModelProto:
    """Two matrix products that share an input with one loud channel; `biased`: each with a bias behind it,
    and with weights for the loud channel that are no smaller than the others."""
    from onnx import TensorProto, helper, numpy_helper

    chance = np.random.default_rng(5)
    matrices = [chance.standard_normal((CHANNELS, OUTPUTS)).astype(np.float32) for _ in range(2)]
    for matrix in matrices:
        matrix[LOUD] *= 1.0 if biased else 0.05
    shape = ("rows", CHANNELS)
    nodes = []
    for i in range(2):
        product = f"p{i}" if biased else f"y{i}"
        nodes.append(helper.make_node("MatMul", ["x", f"w{i}"], [product], name=f"/layer/{i}/MatMul"))
        if biased:
            nodes.append(helper.make_node("Add", [f"b{i}", product], [f"y{i}"], name=f"/layer/{i}/Add"))
    biases = [chance.standard_normal(OUTPUTS).astype(np.float32) for _ in range(2)] if biased else []
    graph = helper.make_graph(
        nodes,
        "two",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, ("rows", OUTPUTS)) for i in range(2)],
        [numpy_helper.from_array(matrix, f"w{i}") for i, matrix in enumerate(matrices)]
        + [numpy_helper.from_array(bias, f"b{i}") for i, bias in enumerate(biases)],
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


def _products(model: onnx.ModelProto) -> set[str]:
    return {node.name for node in model.graph.node if node.op_type == "MatMul"}


def _smoothed(strength: float, *, biased: bool = False, apart: int = 0) -> tuple[onnx.ModelProto, set[str]]:
    from limen_quantize.onnx.smoothing import largest_inputs, smooth

    model = _model(biased=biased)
    nodes = _products(model)
    largest = largest_inputs(model, nodes, [{"x": _inputs()}])
    return smooth(model, nodes, largest, strength=strength, apart=apart)


def _in_int8(model: onnx.ModelProto, scratch: Path, float_products: Collection[str] = ()) -> onnx.ModelProto:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    onnx.save(model, str(scratch / "float.onnx"))
    quantize_dynamic(
        str(scratch / "float.onnx"),
        str(scratch / "int8.onnx"),
        op_types_to_quantize=["MatMul"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=sorted(float_products),
    )
    return onnx.load(str(scratch / "int8.onnx"))


def _error(exact: list[np.ndarray], model: onnx.ModelProto) -> float:
    return max(float(np.abs(a - b).mean()) for a, b in zip(exact, _outputs(model), strict=True))


def test_the_largest_input_of_each_channel_is_found() -> None:
    from limen_quantize.onnx.smoothing import largest_inputs

    model = _model()
    found = largest_inputs(model, {node.name for node in model.graph.node}, [{"x": _inputs()}])
    assert list(found) == ["x"]
    assert np.array_equal(found["x"], np.abs(_inputs()).max(axis=0))


@pytest.mark.parametrize("strength", [0.0, 0.6, 1.0])
def test_the_float_model_computes_the_same(strength: float) -> None:
    for before, after in zip(_outputs(_model()), _outputs(_smoothed(strength)[0]), strict=True):
        assert np.allclose(before, after, rtol=1e-4, atol=1e-3)


def test_products_that_share_an_input_share_its_factors() -> None:
    nodes = _smoothed(0.6)[0].graph.node
    assert [node.op_type for node in nodes] == ["Mul", "MatMul", "MatMul"]
    assert {node.input[0] for node in nodes[1:]} == {nodes[0].output[0]}


def test_int8_comes_closer_to_float(tmp_path: Path) -> None:
    exact = _outputs(_model())
    plain = _error(exact, _in_int8(_model(), tmp_path))
    evened = _error(exact, _in_int8(_smoothed(0.6)[0], tmp_path))
    assert evened < 0.5 * plain


@pytest.mark.parametrize("apart", [1, 3])
def test_with_loud_channels_apart_the_float_model_computes_the_same(apart: int) -> None:
    model, few = _smoothed(0.6, biased=True, apart=apart)
    assert few == {"/layer/0/MatMul_loud", "/layer/1/MatMul_loud"}
    for before, after in zip(_outputs(_model(biased=True)), _outputs(model), strict=True):
        assert np.allclose(before, after, rtol=1e-4, atol=1e-3)


def test_a_loud_channel_apart_spares_the_others_its_scale(tmp_path: Path) -> None:
    exact = _outputs(_model(biased=True))
    evened = _error(exact, _in_int8(_smoothed(0.6, biased=True)[0], tmp_path))
    model, few = _smoothed(0.6, biased=True, apart=1)
    assert _error(exact, _in_int8(model, tmp_path, few)) < 0.5 * evened
