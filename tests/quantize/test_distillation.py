"""Learning from trained networks: what a teacher is, what their mean is, and that a student follows it."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.tiny_training import batch, logits, trained

pytestmark = pytest.mark.train


def teachers(*folders: Path, temperature: float = 1.0) -> Any:
    from limen_daemon.detector.layout import LabelLayout
    from limen_quantize.config import Distillation
    from limen_quantize.distillation import Teachers

    config = Distillation(teachers=tuple(map(str, folders)), temperature=temperature)
    return Teachers(config, LabelLayout.standard(), vocabulary=1100, bfloat16=False)


@pytest.fixture(name="teacher")
def fixture_teacher(base: Path, corpus_file: Path, tmp_path: Path) -> Path:
    return trained(base, corpus_file, tmp_path / "teacher")


def test_a_student_follows_its_teacher_against_the_annotation(
    base: Path, corpus_file: Path, teacher: Path, tmp_path: Path
):
    """The same texts with no phrase marked: what the student finds it has from the teacher alone."""
    import re

    import torch

    plain = tmp_path / "plain.txt"
    plain.write_text(re.sub(r"\[\[([^|]*)\|[^]]*\]\]", r"\1", corpus_file.read_text()), encoding="utf-8")
    alone = trained(base, plain, tmp_path / "alone")
    taught = trained(
        base, plain, tmp_path / "taught", "--teacher", str(teacher), '--set=distillation={"share": 1.0}'
    )
    made = batch(base, corpus_file)
    read = made["tag"] >= 0

    def inside(folder: Path) -> Any:
        return 1 - torch.softmax(logits(folder, made)[..., :3], -1)[..., 0][read]

    wanted = inside(teacher)
    assert (wanted > 0.5).any() and (wanted < 0.5).any()
    assert (inside(taught) - wanted).abs().mean() < 0.5 * (inside(alone) - wanted).abs().mean()
    record = json.loads((taught / "run.json").read_text())
    assert record["config"]["distillation"]["teachers"] == [str(teacher)]
    weights = (teacher / "network" / "model.safetensors").read_bytes()
    assert record["teachers"] == [{"source": str(teacher), "sha256": hashlib.sha256(weights).hexdigest()}]


def test_teachers_answer_with_the_mean_of_their_probabilities(
    base: Path, corpus_file: Path, teacher: Path, tmp_path: Path
):
    import torch

    other = trained(base, corpus_file, tmp_path / "other", seed=2, epochs=2)
    made = batch(base, corpus_file)
    mean = teachers(teacher, other).answer(made)
    first, second = (torch.softmax(logits(folder, made)[..., :3], -1) for folder in (teacher, other))
    assert torch.allclose(mean["tag"], (first + second) / 2, atol=1e-6)
    assert not torch.allclose(first, second, atol=1e-3)
    assert mean["leak"].shape == (len(made["leak"]), 2)


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_the_teachers_own_answer_is_the_best_one(
    base: Path, corpus_file: Path, teacher: Path, temperature: float
):
    import torch

    from limen_quantize.config import LossWeights

    made = batch(base, corpus_file)
    own = logits(teacher, made).requires_grad_()
    taught = teachers(teacher, temperature=temperature)
    loss = taught.loss(own, made, LossWeights())
    loss.backward()
    assert own.grad is not None and own.grad.abs().max() < 1e-5
    with torch.no_grad():
        assert taught.loss(own + torch.randn_like(own), made, LossWeights()) > loss


def test_padding_and_blanks_teach_nothing(base: Path, corpus_file: Path, teacher: Path):
    from limen_quantize.config import LossWeights

    made = batch(base, corpus_file)
    own = logits(teacher, made)
    changed = own.clone()
    changed[made["attention_mask"] == 0] += 5.0
    taught = teachers(teacher)
    assert taught.loss(own, made, LossWeights()) == pytest.approx(
        float(taught.loss(changed, made, LossWeights()))
    )


def test_a_model_folder_can_teach(base: Path, corpus_file: Path, teacher: Path, tmp_path: Path):
    from limen_quantize.onnx.build import BuildConfig, build

    build(BuildConfig(run=teacher, out=tmp_path / "model", name="tiny", sentence_layer=0, parity_queries=0))
    made = batch(base, corpus_file)
    read = made["attention_mask"] == 1
    gap = (logits(tmp_path / "model", made) - logits(teacher, made))[read].abs()
    assert 0 < gap.mean() < 0.1, "read back from INT8, so nearly equal and not exactly"


def test_a_model_folder_can_be_trained_on(base: Path, corpus_file: Path, teacher: Path, tmp_path: Path):
    from limen_quantize.onnx.build import BuildConfig, build

    model = tmp_path / "model"
    build(BuildConfig(run=teacher, out=model, name="tiny", sentence_layer=0, parity_queries=0))
    slow = {"epochs": 1, "encoder_rate": 1e-9, "head_rate": 1e-9}
    more = trained(model, corpus_file, tmp_path / "more", **slow)
    made = batch(base, corpus_file)
    read = made["attention_mask"] == 1
    moved = (logits(more, made) - logits(model, made))[read].abs()
    assert moved.max() < 1e-3, "it begins with the model's own weights, the classifier's too"


@pytest.mark.parametrize("content", [b"no graph", b""])
def test_a_model_file_that_holds_no_network_is_named(
    base: Path, corpus_file: Path, tmp_path: Path, content: bytes
):
    from limen_quantize.errors import TrainingError

    broken = tmp_path / "broken"
    shutil.copytree(base, broken)
    (broken / "model.onnx").write_bytes(content)
    with pytest.raises(TrainingError, match="broken"):
        trained(broken, corpus_file, tmp_path / "run", epochs=1)
    with pytest.raises(TrainingError, match="broken"):
        teachers(broken)


def test_a_folder_without_a_network_is_named(tmp_path: Path):
    from limen_quantize.errors import TrainingError

    pytest.importorskip("torch", reason="needs the train extra: pip install 'limen[train]'")
    with pytest.raises(TrainingError, match="no trained network"):
        teachers(tmp_path)


def test_a_teacher_with_other_word_pieces_is_refused(teacher: Path):
    from limen_daemon.detector.layout import LabelLayout
    from limen_quantize.config import Distillation
    from limen_quantize.distillation import Teachers
    from limen_quantize.errors import TrainingError

    config = Distillation(teachers=(str(teacher),))
    with pytest.raises(TrainingError, match="word pieces"):
        Teachers(config, LabelLayout.standard(), vocabulary=1101, bfloat16=False)
