"""Models on disk: manifests, what is refused before a runtime sees it, adding, choosing."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import struct
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from limen_daemon.detector import load_detector
from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.errors import ConfigError, InputError, ModelDamaged, ModelMissing
from limen_daemon.models.adding import add_model
from limen_daemon.models.folders import user_models_folder
from limen_daemon.models.manifest import Manifest, read_manifest, read_verified, verify
from limen_daemon.models.onnx_file import check_onnx
from limen_daemon.models.registry import current_model, find_model, installed_models
from limen_daemon.models.selection import select_model, selected_model, selection_path


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def weights(name: str = "w") -> TensorProto:
    return numpy_helper.from_array(np.ones((4, 4), dtype=np.float32), name)


def outside(name: str = "w") -> TensorProto:
    """A tensor whose bytes lie in another file."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[4, 4])
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../secret.bin")
    return tensor


def graph(nodes: list[onnx.NodeProto], tensors: list[TensorProto], name: str = "g") -> onnx.GraphProto:
    return helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 4])],
        initializer=tensors,
    )


def whole_model() -> onnx.ModelProto:
    return helper.make_model(graph([helper.make_node("MatMul", ["x", "w"], ["y"])], [weights()]))


def sparse(values: TensorProto) -> onnx.SparseTensorProto:
    indices = numpy_helper.from_array(np.array([0, 1, 2, 3], dtype=np.int64), "i")
    return onnx.SparseTensorProto(values=values, indices=indices, dims=[4, 4])


def _initializer() -> onnx.ModelProto:
    return helper.make_model(graph([helper.make_node("MatMul", ["x", "w"], ["y"])], [outside()]))


def _constant() -> onnx.ModelProto:
    return helper.make_model(graph([helper.make_node("Constant", [], ["y"], value=outside())], []))


def _sparse_initializer() -> onnx.ModelProto:
    model = whole_model()
    model.graph.sparse_initializer.append(sparse(outside("values")))
    return model


def _sparse_constant() -> onnx.ModelProto:
    model = whole_model()
    node = model.graph.node.add(op_type="Constant", output=["s"])
    node.attribute.add(name="sparse_value", type=onnx.AttributeProto.SPARSE_TENSOR).sparse_tensor.CopyFrom(
        sparse(outside("values"))
    )
    return model


def _subgraph() -> onnx.ModelProto:
    branch = graph([helper.make_node("Identity", ["w"], ["y"])], [outside()], "branch")
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    return helper.make_model(graph([node], []))


def _function() -> onnx.ModelProto:
    model = whole_model()
    constant = helper.make_node("Constant", [], ["z"], value=outside())
    model.functions.append(
        helper.make_function("local", "f", [], ["z"], [constant], [helper.make_opsetid("", 21)])
    )
    return model


def _training() -> onnx.ModelProto:
    model = whole_model()
    model.training_info.add().initialization.CopyFrom(graph([], [outside()]))
    return model


HIDDEN = [_initializer, _constant, _sparse_initializer, _sparse_constant, _subgraph, _function, _training]


@pytest.mark.parametrize("make", HIDDEN, ids=lambda make: make.__name__.strip("_"))
def test_weights_outside_the_file_are_refused_wherever_they_hide(make: object) -> None:
    assert callable(make)
    with pytest.raises(ModelDamaged, match="other files"):
        check_onnx(make().SerializeToString())


def test_a_location_without_the_external_flag_is_refused_too() -> None:
    model = whole_model()
    model.graph.initializer[0].external_data.add(key="location", value="/etc/passwd")
    with pytest.raises(ModelDamaged, match="other files"):
        check_onnx(model.SerializeToString())


def test_a_whole_model_passes() -> None:
    check_onnx(whole_model().SerializeToString())


@pytest.mark.parametrize(
    "content",
    [b"", b"not a model", b"\x3a\xff\xff\xff\xff\x0f", b"\x00", b"\x08" + b"\xff" * 11, b"\x0b\x0c"],
)
def test_what_is_no_onnx_file_is_refused(content: bytes) -> None:
    with pytest.raises(ModelDamaged):
        check_onnx(content)


def test_graphs_nested_without_end_are_refused() -> None:
    inner = b""
    for _ in range(200):  # graph -> node -> attribute -> graph
        for key in (0x32, 0x2A, 0x0A):
            inner = bytes([key]) + _length(len(inner)) + inner
    with pytest.raises(ModelDamaged, match="deep"):
        check_onnx(b"\x3a" + _length(len(inner)) + inner)


def _length(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_model_never_hides_its_outside_weights_behind_a_crash(data: st.DataObject) -> None:
    content = bytearray(_subgraph().SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    parsed = onnx.ModelProto()
    try:
        parsed.ParseFromString(bytes(content))
        still_outside = any(
            tensor.external_data or tensor.data_location
            for node in parsed.graph.node
            for attribute in node.attribute
            for tensor in attribute.g.initializer
        )
    except Exception:
        still_outside = False
    try:
        check_onnx(bytes(content))
    except ModelDamaged:
        return
    assert not still_outside


def make_folder(folder: Path, name: str = "tiny") -> Path:
    folder.mkdir(parents=True)
    onnx.save(whole_model(), folder / "model.onnx")
    (folder / "config.json").write_text("{}")
    files = [
        {"file": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}
        for path in (folder / "model.onnx", folder / "config.json")
    ]
    manifest = {
        "name": name,
        "version": "2",
        "format": "onnx",
        "licence": "MIT",
        "files": files,
        "scores": {"f1": 1},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def test_a_model_added_by_its_manifests_hash_is_listed_and_private(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    manifest = add_model(source, sha256(source / "manifest.json"))
    found = find_model("tiny")
    assert (manifest.id, found.shipped, found.folder) == ("tiny-2", False, user_models_folder() / "tiny")
    assert verify(found.folder, manifest) == []
    assert stat.S_IMODE(user_models_folder().stat().st_mode) == 0o700
    assert stat.S_IMODE((found.folder / "model.onnx").stat().st_mode) == 0o600


def test_a_model_is_not_added_without_its_right_hash(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    with pytest.raises(InputError, match="sha256"):
        add_model(source, "0" * 64)
    assert not any(model.name == "tiny" for model in installed_models())


def test_a_changed_file_behind_a_trusted_manifest_is_refused(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    trusted = sha256(source / "manifest.json")
    (source / "config.json").write_text("[]")
    with pytest.raises(ModelDamaged, match=r"config\.json"):
        add_model(source, trusted)


def test_a_model_with_outside_weights_is_not_added_even_when_trusted(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    (source / "model.onnx").write_bytes(_initializer().SerializeToString())
    manifest = json.loads((source / "manifest.json").read_text())
    manifest["files"][0] |= {
        "bytes": (source / "model.onnx").stat().st_size, "sha256": sha256(source / "model.onnx"),
    }  # fmt: skip
    (source / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelDamaged, match="other files"):
        add_model(source, sha256(source / "manifest.json"))
    assert list(user_models_folder().iterdir()) == []


def test_a_linked_file_is_not_followed(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    shutil.move(source / "config.json", tmp_path / "elsewhere.json")
    (source / "config.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ModelDamaged, match="link"):
        add_model(source, sha256(source / "manifest.json"))


def test_a_taken_name_is_refused(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    trusted = sha256(source / "manifest.json")
    add_model(source, trusted)
    with pytest.raises(InputError, match="already"):
        add_model(source, trusted)


@pytest.mark.parametrize("name", ["../model.onnx", "a/b", "/etc/passwd", ".hidden", "c:evil", ""])
def test_a_manifest_cannot_name_files_outside_its_folder(tmp_path: Path, name: str) -> None:
    source = make_folder(tmp_path / "source")
    manifest = json.loads((source / "manifest.json").read_text())
    manifest["files"][0]["file"] = name
    (source / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelDamaged):
        read_manifest(source)


def test_the_bytes_that_were_hashed_are_the_bytes_that_are_loaded(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    manifest = read_manifest(source)
    assert read_verified(source, manifest, "config.json") == b"{}"
    (source / "config.json").write_text("{ }")
    with pytest.raises(ModelDamaged, match="sha256"):
        read_verified(source, manifest, "config.json")
    (source / "config.json").unlink()
    with pytest.raises(ModelMissing):
        read_verified(source, manifest, "config.json")


def test_verify_names_each_difference(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    manifest = read_manifest(source)
    (source / "config.json").unlink()
    content = bytearray((source / "model.onnx").read_bytes())
    content[-1] ^= 1
    (source / "model.onnx").write_bytes(bytes(content))
    problems = verify(source, manifest)
    assert len(problems) == 2
    assert "sha256 differs" in problems[0]
    assert "config.json is missing" in problems[1]


def write_gguf(path: Path) -> None:
    """The smallest whole GGUF file: one key, one float tensor of 16 values."""
    key, value, name = b"general.architecture", b"llama", b"w"
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, 1)
    header += struct.pack("<Q", len(key)) + key + struct.pack("<IQ", 8, len(value)) + value
    header += struct.pack("<Q", len(name)) + name + struct.pack("<IQIQ", 1, 16, 0, 0)
    path.write_bytes(header + bytes(-len(header) % 32) + bytes(64))


def test_a_single_gguf_file_is_added_under_its_own_name(tmp_path: Path) -> None:
    source = tmp_path / "My Model Q4.gguf"
    write_gguf(source)
    manifest = add_model(source, sha256(source))
    assert (manifest.name, manifest.format) == ("my-model-q4", "gguf")
    assert find_model("my-model-q4").manifest == manifest


def test_a_gguf_with_a_tensor_past_its_end_is_not_added(tmp_path: Path) -> None:
    source = tmp_path / "short.gguf"
    write_gguf(source)
    source.write_bytes(source.read_bytes()[:-64])
    with source.open("rb") as file, pytest.raises(ModelDamaged):
        check_gguf(file)
    with pytest.raises(ModelDamaged):
        add_model(source, sha256(source))


def test_the_choice_is_remembered_and_read_by_the_loader() -> None:
    assert selected_model() is None
    assert current_model() == "limen-e5-small"
    select_model("patterns")
    assert selected_model() == "patterns"
    assert load_detector().info.format == "patterns"
    assert stat.S_IMODE(selection_path().stat().st_mode) == 0o600


def test_a_damaged_choice_is_an_error_that_says_what_to_do() -> None:
    select_model("patterns")
    selection_path().write_text("{")
    with pytest.raises(ConfigError, match="limen models use"):
        load_detector()


def test_an_unknown_model_is_missing_not_replaced() -> None:
    with pytest.raises(ModelMissing, match="limen models list"):
        load_detector("no-such-model")


def test_a_users_model_cannot_take_the_shipped_name(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source", "limen-e5-small")
    user_models_folder().mkdir(parents=True)
    shutil.copytree(source, user_models_folder() / "limen-e5-small")
    assert find_model("limen-e5-small").shipped


def test_a_model_with_a_broken_manifest_is_listed_with_its_problem(tmp_path: Path) -> None:
    source = make_folder(tmp_path / "source")
    user_models_folder().mkdir(parents=True)
    shutil.copytree(source, user_models_folder() / "tiny")
    (user_models_folder() / "tiny" / "manifest.json").write_text("{}")
    assert find_model("tiny").problem is not None
    with pytest.raises(ModelDamaged):
        load_detector("tiny")


def test_a_manifest_keeps_keys_it_does_not_know(tmp_path: Path) -> None:
    manifest = read_manifest(make_folder(tmp_path / "source"))
    assert Manifest.model_validate_json(manifest.model_dump_json()).model_extra == {"scores": {"f1": 1}}
