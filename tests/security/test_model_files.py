"""Hostile model files: changed, pointing elsewhere, nonsense. They are refused before a runtime sees them."""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import struct
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.detector.onnx import OnnxDetector
from limen_daemon.errors import ModelDamaged, ModelMissing
from limen_daemon.models.folders import DEFAULT_MODEL
from limen_daemon.models.onnx_file import check_onnx
from limen_daemon.models.registry import find_model

SECRET = np.arange(4, dtype=np.float32) + 4711
FILE_NAME = "weights.bin"


def _external(location: str) -> TensorProto:
    tensor = numpy_helper.from_array(SECRET, "w")
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, "offset": "0", "length": str(SECRET.nbytes)}.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    return tensor


def _model(kind: str, tensor: TensorProto) -> bytes:
    """A model that hands out `tensor`, which it holds as `kind`."""
    initializers, sparse, nodes = [], [], []
    if kind == "initializer":
        initializers.append(tensor)
    elif kind == "constant":
        nodes.append(helper.make_node("Constant", [], ["w"], value=tensor))
    elif kind == "subgraph":
        inner = helper.make_graph(
            [helper.make_node("Constant", [], ["v"], value=tensor)],
            "inner",
            [],
            [helper.make_tensor_value_info("v", TensorProto.FLOAT, [4])],
        )
        initializers.append(numpy_helper.from_array(np.array(True), "yes"))
        nodes.append(helper.make_node("If", ["yes"], ["w"], then_branch=inner, else_branch=inner))
    else:
        indices = numpy_helper.from_array(np.arange(4, dtype=np.int64), "i")
        sparse.append(helper.make_sparse_tensor(tensor, indices, [4]))
    nodes.append(helper.make_node("Identity", ["w"], ["y"]))
    graph = helper.make_graph(
        nodes,
        "g",
        [],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])],
        initializers,
        sparse_initializer=sparse,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    data: bytes = model.SerializeToString()
    return data


LOCATIONS = {
    "beside": FILE_NAME,
    "above": f"../{FILE_NAME}",
    "absolute": "/etc/hostname",
    "symlink": "link.bin",
    "hardlink": "hard.bin",
    "empty": "",
}


@pytest.mark.parametrize("location", LOCATIONS.values(), ids=LOCATIONS)
@pytest.mark.parametrize("kind", ["initializer", "constant", "sparse", "subgraph"])
def test_onnx_external(kind: str, location: str) -> None:
    with pytest.raises(ModelDamaged, match="other files"):
        check_onnx(_model(kind, _external(location)))


@pytest.mark.parametrize("kind", ["initializer", "constant", "sparse", "subgraph"])
def test_onnx_inside(kind: str) -> None:
    """The same model with its weights inside passes."""
    check_onnx(_model(kind, numpy_helper.from_array(SECRET, "w")))


def test_onnx_external_control(tmp_path: Path) -> None:
    """The control: ONNX Runtime by itself reads a foreign file that was hard-linked beside the model."""
    (tmp_path / "foreign").write_bytes(SECRET.tobytes())
    (tmp_path / "model").mkdir()
    os.link(tmp_path / "foreign", tmp_path / "model" / "hard.bin")
    path = tmp_path / "model" / "model.onnx"
    path.write_bytes(_model("initializer", _external("hard.bin")))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    assert session.run(None, {})[0].tolist() == SECRET.tolist()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_model_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """One flipped bit, and the loader is never called."""
    try:
        folder = find_model(DEFAULT_MODEL).folder
    except ModelMissing:
        pytest.skip("the shipped model is not there")
    copy = tmp_path / DEFAULT_MODEL
    shutil.copytree(folder, copy)
    OnnxDetector(copy).close()  # the control: the untouched copy loads
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    monkeypatch.setattr(onnxruntime, "InferenceSession", lambda *args, **kw: pytest.fail("it was loaded"))
    with pytest.raises(ModelDamaged):
        OnnxDetector(copy)


@given(st.binary(max_size=400))
def test_fuzz_onnx(data: bytes) -> None:
    """Any bytes pass or are refused; nothing else happens."""
    with contextlib.suppress(ModelDamaged):
        check_onnx(data)


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_fuzz_onnx_mutants(seed: int, changes: int) -> None:
    """Bytes changed in a file with external data never let it through and still be one that ONNX reads so."""
    chance = random.Random(seed)
    data = bytearray(
        _model(chance.choice(["initializer", "constant", "sparse", "subgraph"]), _external(FILE_NAME))
    )
    for _ in range(changes):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        check_onnx(bytes(data))
    except ModelDamaged:
        return
    try:
        model = onnx.load_model_from_string(bytes(data))
    except Exception:  # what no parser reads does no harm
        return
    tensors = [*model.graph.initializer, *(s.values for s in model.graph.sparse_initializer)]
    tensors += [a.t for node in model.graph.node for a in node.attribute]
    assert not any(tensor.data_location == TensorProto.EXTERNAL or tensor.external_data for tensor in tensors)


def _gguf() -> bytes:
    """A small whole file: two fields, one tensor of 8 by 8 floats."""

    def string(text: bytes) -> bytes:
        return struct.pack("<Q", len(text)) + text

    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 2)
    head += string(b"general.name") + struct.pack("<I", 8) + string(b"tiny")
    head += string(b"a.list") + struct.pack("<IIQ", 9, 5, 3) + struct.pack("<iii", 1, 2, 3)
    head += string(b"w") + struct.pack("<IQQIQ", 2, 8, 8, 0, 0)
    return head + bytes(-len(head) % 32) + bytes(4 * 64)


def test_a_whole_gguf_file_passes() -> None:
    assert check_gguf(io.BytesIO(_gguf())).tensors == 1


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_gguf_hostile(seed: int, changes: int) -> None:
    """Mutants of the header are refused, or the tensors they name still lie inside the file."""
    chance = random.Random(seed)
    data = bytearray(_gguf())
    for _ in range(changes):
        data[chance.randrange(len(data) - 256)] = chance.randrange(256)
    try:
        header = check_gguf(io.BytesIO(bytes(data)))
    except ModelDamaged:
        return
    assert header.file_bytes == len(data)
    assert header.tensors <= 1


@given(st.binary(max_size=400))
def test_fuzz_gguf(data: bytes) -> None:
    with contextlib.suppress(ModelDamaged):
        check_gguf(io.BytesIO(b"GGUF" + data))
