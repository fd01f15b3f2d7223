"""GGUF to torch and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.tiny_gguf import write_tiny_gguf
from limen_daemon.errors import ConfigError, ModelDamaged, ModelMissing
from limen_quantize.gguf.architectures import deinterleave, interleave, torch_name

gguf = pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")


def _llama_logits(path: Path, ids: list[int]) -> np.ndarray:
    pytest.importorskip("llama_cpp", reason="llama-cpp-python (extra gguf) is not installed")
    from limen_daemon.detector.generative.llama import LlamaModel

    model = LlamaModel(str(path), context_tokens=256, threads=1, gpu=False)
    try:
        return model.evaluate(ids).copy()
    finally:
        model.close()


def test_interleaving_rows_is_undone_by_deinterleaving() -> None:
    tensor = np.arange(16 * 3, dtype=np.float32).reshape(16, 3)
    assert not np.array_equal(interleave(tensor, 2), tensor)
    assert np.array_equal(deinterleave(interleave(tensor, 2), 2), tensor)


def test_an_unknown_tensor_is_named() -> None:
    with pytest.raises(ConfigError, match=r"blk\.0\.ssm_a"):
        torch_name("blk.0.ssm_a")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    from limen_quantize.gguf.reading import read_gguf

    with pytest.raises(ModelMissing, match=r"none\.gguf"):
        read_gguf(tmp_path / "none.gguf")


def test_a_cut_file_is_refused_before_it_is_parsed(tiny_gguf: Path, tmp_path: Path) -> None:
    from limen_quantize.gguf.reading import read_gguf

    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny_gguf.read_bytes()[:-100])
    with pytest.raises(ModelDamaged, match="beyond the end"):
        read_gguf(cut)


@pytest.mark.train
@pytest.mark.parametrize(("architecture", "tied"), [("llama", True), ("llama", False), ("qwen2", True)])
def test_writing_a_model_back_changes_no_weight_and_no_logit(
    architecture: str, tied: bool, tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch", reason="torch (extra train) is not installed")
    from limen_quantize.gguf.reading import read_gguf, to_torch
    from limen_quantize.gguf.writing import state_of, write_gguf

    source = write_tiny_gguf(tmp_path / "source.gguf", architecture=architecture, tied=tied)
    weights = read_gguf(source)
    model = to_torch(weights)
    written = write_gguf(weights, state_of(model), tmp_path / "written.gguf", float_type="f32", name="new")
    again = read_gguf(written)
    assert again.tensors.keys() == weights.tensors.keys()
    assert all(np.array_equal(again.tensors[name], weights.tensors[name]) for name in weights.tensors)
    assert again.metadata["general.name"] == "new"
    assert "tokenizer.chat_template" not in again.metadata
    for key in ("tokenizer.ggml.tokens", "tokenizer.ggml.merges", "tokenizer.ggml.eos_token_id"):
        assert again.metadata[key] == weights.metadata[key]
    ids = [1, 80, 90, 100, 110, 120, 130, 40, 50]
    with torch.no_grad():
        ours = model(torch.tensor([ids])).logits[0, -1].numpy()
    assert np.array_equal(_llama_logits(source, ids), _llama_logits(written, ids))
    assert np.abs(ours - _llama_logits(written, ids)).max() < 0.02 * np.abs(ours).max()


@pytest.mark.train
def test_weights_of_another_base_are_refused(tiny_gguf: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch (extra train) is not installed")
    from limen_quantize.gguf.reading import read_gguf, to_torch
    from limen_quantize.gguf.writing import state_of, write_gguf

    weights = read_gguf(tiny_gguf)
    state = state_of(to_torch(weights))
    state["model.norm.weight"] = np.ones(7, dtype=np.float32)
    with pytest.raises(ConfigError, match="output_norm"):
        write_gguf(weights, state, tmp_path / "wrong.gguf")
    assert not (tmp_path / "wrong.gguf").exists()


def test_a_quantized_base_is_dequantized_close_to_its_source(tiny_gguf: Path, tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp", reason="llama-cpp-python (extra gguf) is not installed")
    from limen_quantize.gguf.levels import quantize_file
    from limen_quantize.gguf.reading import read_gguf

    exact = read_gguf(tiny_gguf)
    small = read_gguf(quantize_file(tiny_gguf, tmp_path / "q8.gguf", "Q8_0"))
    name = "blk.0.attn_q.weight"
    error = np.abs(small.tensors[name] - exact.tensors[name]).max()
    assert 0 < error < 0.02 * np.abs(exact.tensors[name]).max()
