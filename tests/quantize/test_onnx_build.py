"""Export and quantization of a real (tiny) trained network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from limen_daemon.detector.onnx import OnnxDetector
from limen_daemon.errors import LimenError, ModelMissing
from limen_quantize.errors import TrainingError
from limen_quantize.onnx.embeddings import int8_rows
from limen_quantize.onnx.folder import replaced
from limen_quantize.onnx.parity import Parity
from limen_quantize.scores import Scores


@given(st.integers(0, 1000))
def test_embedding_rows_come_back_within_half_a_step(seed: int):
    table = np.random.default_rng(seed).normal(size=(5, 8)).astype(np.float32)
    rows, scales = int8_rows(table)
    assert rows.dtype == np.int8
    assert np.all(np.abs(rows * scales - table) <= scales / 2 + 1e-6)


def test_a_row_of_zeros_stays_zeros():
    rows, scales = int8_rows(np.zeros((1, 4), dtype=np.float32))
    assert not rows.any() and np.isfinite(scales).all()


def make_scores(accuracy: float, f1: float) -> Scores:
    return Scores(n_queries=10, accuracy=accuracy, recall=f1, precision=f1, f1=f1)


def test_parity_reports_the_worst_fall_in_points():
    measured = Parity(
        full={"en": make_scores(0.9, 0.8), "zh": make_scores(0.9, 0.7)},
        quantized={"en": make_scores(0.91, 0.79), "zh": make_scores(0.9, 0.68)},
        same_answer=0.9,
    )
    assert measured.loss_points == pytest.approx(2.0)


def test_a_failed_build_leaves_the_old_folder_and_nothing_else(tmp_path: Path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.onnx").write_text("old")
    with pytest.raises(RuntimeError, match="midway"), replaced(folder, overwrite=True) as scratch:
        (scratch / "model.onnx").write_text("new")
        raise RuntimeError("midway")
    assert (folder / "model.onnx").read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["model"]


def test_a_folder_is_replaced_only_when_asked_and_its_card_stays(tmp_path: Path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "CARD.md").write_text("card")
    with pytest.raises(TrainingError, match="--overwrite"), replaced(folder, overwrite=False):
        pass
    with replaced(folder, overwrite=True) as scratch:
        (scratch / "model.onnx").write_text("new")
    assert (folder / "model.onnx").read_text() == "new"
    assert (folder / "CARD.md").read_text() == "card"
    assert [item.name for item in tmp_path.iterdir()] == ["model"]


@pytest.fixture(name="run", scope="module")
def fixture_run(base: Path, corpus: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned its five training queries by heart."""
    from limen_quantize.commands.train import train

    folder = tmp_path_factory.mktemp("runs")
    (folder / "tiny.txt").write_text(corpus, encoding="utf-8")
    fields = {
        "epochs": 120,
        "holdout": 0.0,
        "encoder_rate": 1e-3,
        "head_rate": 1e-2,
        "batch_queries": 5,
        "max_tokens": 64,
        "bfloat16": False,
        "augmentation": {
            "lower_case": 0,
            "upper_case": 0,
            "typos": 0,
            "no_punctuation": 0,
            "join_neutral": 0,
            "paste_context": 0,
        },
    }
    given = ["--base", str(base), "--data", str(folder / "tiny.txt"), "--out", str(folder / "run")]
    result = CliRunner().invoke(train, given + [f"--set={k}={json.dumps(v)}" for k, v in fields.items()])
    assert result.exit_code == 0, result.output
    return folder / "run"


def build(run: Path, out: Path, *options: str) -> str:
    from limen_quantize.commands.onnx import onnx

    result = CliRunner().invoke(
        onnx, ["--run", str(run), "--out", str(out), "--sentence-layer", "1", *options]
    )
    if isinstance(result.exception, LimenError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.train
@pytest.mark.parametrize("precision", ["int8", "int8-static", "fp16", "fp32"])
def test_each_precision_answers_like_the_network_it_came_from(run: Path, tmp_path: Path, precision: str):
    out = tmp_path / "tiny-model"
    printed = build(run, out, "--precision", precision, "--max-loss", "0.5")
    assert precision in printed
    detector = OnnxDetector(out, device="cpu")
    found = detector.detect("I have diabetes and I am worried").findings
    assert [(item.phrase, item.category.value) for item in found] == [
        ("diabetes", "health"),
        ("worried", "emotion"),
    ]
    assert detector.detect("how far is porto from lisbon").findings == ()
    assert detector.embed(["my son", "porto"]).shape == (2, 32)


@pytest.mark.train
def test_the_exported_logits_are_the_networks_own(run: Path, tmp_path: Path):
    import onnxruntime
    import torch
    from transformers import AutoModelForTokenClassification

    build(run, tmp_path / "full", "--precision", "fp32")
    session = onnxruntime.InferenceSession(
        str(tmp_path / "full" / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    ids = np.asarray([[0, 5, 9, 12, 2], [0, 7, 2, 1, 1]], dtype=np.int64)
    mask = (ids != 1).astype(np.int64)
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    logits, sentence = session.run(
        ["logits", "sentence"], {i.name: feed[i.name] for i in session.get_inputs()}
    )
    network = AutoModelForTokenClassification.from_pretrained(run / "network").eval()
    with torch.inference_mode():
        given = network(torch.from_numpy(ids), torch.from_numpy(mask), output_hidden_states=True)
    assert np.allclose(logits[0], given.logits[0].numpy(), atol=1e-4)
    assert np.allclose(logits[1, :3], given.logits[1, :3].numpy(), atol=1e-4)
    assert np.allclose(sentence[1], given.hidden_states[2][1, :3].mean(dim=0).numpy(), atol=1e-4)


@pytest.mark.train
def test_int8_is_at_most_a_third_of_the_float_file(run: Path, tmp_path: Path):
    sizes = {}
    for precision in ("fp32", "int8"):
        build(run, tmp_path / precision, "--precision", precision)
        sizes[precision] = (tmp_path / precision / "model.onnx").stat().st_size
    # The tiny graph's nodes weigh as much as its matrices; a real model comes to a quarter.
    assert sizes["int8"] < 0.8 * sizes["fp32"]


@pytest.mark.train
def test_the_manifest_says_what_it_was_trained_on(run: Path, tmp_path: Path):
    build(run, tmp_path / "m", "--name", "tiny-x", "--version", "7")
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("tiny-x", "7")
    assert manifest["trained_on"][0]["file"] == "tiny.txt"
    assert manifest["parity"]["queries"] == 5
    assert str(run) not in json.dumps(manifest)


@pytest.mark.train
def test_the_manifest_names_unannotated_files_with_their_hashes(run: Path, tmp_path: Path):
    from limen_quantize.record import LearnedFile, read_record

    taught = tmp_path / "taught"
    shutil.copytree(run, taught)
    record = read_record(taught)
    assert record is not None
    record.unannotated = (LearnedFile(source="variants/en.txt", sha256="1" * 64),)
    record.write(taught)
    build(taught, tmp_path / "m")
    training = json.loads((tmp_path / "m" / "manifest.json").read_text())["training"]
    assert training["unannotated"] == [{"source": "variants/en.txt", "sha256": "1" * 64}]


@pytest.mark.train
def test_an_unfinished_run_is_refused(tmp_path: Path):
    pytest.importorskip("torch", reason="needs the train extra: pip install 'limen[train]'")
    (tmp_path / "run").mkdir()
    with pytest.raises(TrainingError, match="no finished training run"):
        build(tmp_path / "run", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.train
def test_a_layer_that_is_not_there_is_refused_and_leaves_nothing(run: Path, tmp_path: Path):
    with pytest.raises(TrainingError, match="no layer 9"):
        build(run, tmp_path / "out", "--sentence-layer", "9")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.train
@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_an_exported_model_can_be_read_back(run: Path, tmp_path: Path, precision: str):
    from transformers import AutoModelForTokenClassification

    from limen_quantize.onnx.reading import network_weights

    build(run, tmp_path / "m", "--precision", precision)
    weights = network_weights(tmp_path / "m" / "model.onnx")
    network = AutoModelForTokenClassification.from_pretrained(run / "network").state_dict()
    assert weights.keys() == network.keys()
    for name, value in network.items():
        # 7-bit weights: half a step is a 126th of a column's largest weight, which evening out can raise.
        step = float(value.abs().max()) / 126 if precision == "int8" else 1e-6
        assert np.abs(weights[name] - value.numpy()).max() <= 4 * step, name


@pytest.mark.train
def test_a_blend_lies_between_both_and_says_what_went_into_it(run: Path, tmp_path: Path):
    from transformers import AutoModelForTokenClassification

    from limen_quantize.blending import blend
    from limen_quantize.onnx.reading import network_weights

    build(run, tmp_path / "m", "--name", "tiny", "--version", "3")
    record = blend(run, tmp_path / "m", tmp_path / "both", share=0.25)
    assert record.blend is not None
    assert (record.blend.model, record.blend.share) == ("tiny-3", 0.25)
    mixed = AutoModelForTokenClassification.from_pretrained(tmp_path / "both" / "network").state_dict()
    own = AutoModelForTokenClassification.from_pretrained(run / "network").state_dict()
    earlier = network_weights(tmp_path / "m" / "model.onnx")
    name = "classifier.weight"
    assert np.allclose(mixed[name], 0.75 * own[name].numpy() + 0.25 * earlier[name], atol=1e-6)
    build(tmp_path / "both", tmp_path / "m2")
    training = json.loads((tmp_path / "m2" / "manifest.json").read_text())["training"]
    assert training["blend"]["model"] == "tiny-3"
    with pytest.raises(TrainingError, match="exists already"):
        blend(run, tmp_path / "m", tmp_path / "both", share=0.25)


def test_a_blend_keeps_no_scores_of_a_run_that_saw_what_the_other_held_out(run: Path, tmp_path: Path):
    from limen_quantize.blending import blend
    from limen_quantize.record import read_record
    from limen_quantize.scores import Scores

    scored = tmp_path / "scored"
    shutil.copytree(run, scored)
    record = read_record(scored)
    assert record is not None
    fine = Scores(n_queries=9, accuracy=1.0, recall=1.0, precision=1.0, f1=1.0, alarms_per_1000_words=0.0)
    record.held_out, record.held_out_unlike, record.decoding_from = (
        {"en": fine},
        {"en": fine},
        "held-out queries",
    )
    record.write(scored)
    mixed = blend(scored, run, tmp_path / "both", share=0.5)
    assert (mixed.held_out, mixed.held_out_unlike, mixed.n_held_out, mixed.n_train) == ({}, {}, 0, 5)
    assert "none of whose queries is held out" in mixed.decoding_from


def test_a_blend_of_a_run_whose_data_has_changed_is_refused(run: Path, tmp_path: Path):
    from limen_quantize.blending import blend
    from limen_quantize.record import read_record

    old = tmp_path / "old"
    shutil.copytree(run, old)
    record = read_record(old)
    assert record is not None
    record.data = tuple(file.model_copy(update={"sha256": "0" * 64}) for file in record.data)
    record.write(old)
    with pytest.raises(TrainingError, match="data has changed"):
        blend(old, run, tmp_path / "both", share=0.5)
    assert not (tmp_path / "both").exists()


def test_two_runs_are_blended_without_a_detour(run: Path, tmp_path: Path):
    from transformers import AutoModelForTokenClassification

    from limen_quantize.blending import blend
    from limen_quantize.record import sha256_of

    def weights(folder: Path) -> np.ndarray:
        network = AutoModelForTokenClassification.from_pretrained(folder / "network")
        return network.state_dict()["classifier.weight"].numpy()

    build(run, tmp_path / "m", "--name", "tiny", "--version", "3")
    blend(run, tmp_path / "m", tmp_path / "other", share=1.0)
    record = blend(run, tmp_path / "other", tmp_path / "both", share=0.5)
    assert np.allclose(
        weights(tmp_path / "both"), (weights(run) + weights(tmp_path / "other")) / 2, atol=1e-6
    )
    assert record.blend is not None
    assert record.blend.model == str(tmp_path / "other")
    assert record.blend.sha256 == sha256_of(tmp_path / "other" / "network" / "model.safetensors")
    with pytest.raises(ModelMissing, match="There is no model in"):
        blend(run, tmp_path / "nothing", tmp_path / "third", share=0.5)
