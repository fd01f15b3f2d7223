"""Averages a trained network with another run's weights, or a version's, read back from its model folder.

Both began from the same encoder and the same fresh classifier, so their mean is a network too (Wortsman et
al. 2022); where one was trained on more of one kind of text, the mean keeps some of either's strength.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import torch

from limen_daemon.models.manifest import read_manifest
from limen_quantize.distillation import load_teacher, weights_file
from limen_quantize.errors import TrainingError
from limen_quantize.inference import answer_all
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.record import Blend, RunRecord, now, read_record, sha256_of
from limen_quantize.training_run import Material, choose_by_held_out, load_material, load_tokenizer


def blend(run: Path, model: Path, out: Path, *, share: float) -> RunRecord:
    """Write `share` of `model`'s weights and the rest of `run`'s as a finished run into `out`.

    `model`: another finished run, or the model folder of a version.

    Decoding rules and scores come from queries that neither has learned from: the smaller held-out share.
    Raises: `TrainingError` when `run` is not finished, `out` exists, the data has changed since, or the two
    are not of one architecture; `DataError` when the data cannot be read; `ModelMissing` when there is
    nothing at `model`.
    """
    from transformers import AutoModelForTokenClassification

    record = read_record(run)
    if record is None or record.state != "finished":
        raise TrainingError(f"{run} holds no finished training run")
    if out.exists():
        raise TrainingError(f"{out} exists already; choose another --out")
    name, holdout = _origin(model)
    earlier = load_teacher(model).state_dict()
    network = AutoModelForTokenClassification.from_pretrained(run / "network")
    own = network.state_dict()
    if any(name not in earlier or earlier[name].shape != value.shape for name, value in own.items()):
        raise TrainingError(f"{run} and {model} are not of one architecture, so they cannot be averaged")
    network.load_state_dict({name: torch.lerp(value, earlier[name], share) for name, value in own.items()})
    holdout = min(record.config.holdout, holdout)
    record.config = record.config.model_copy(update={"holdout": holdout, "out": out})
    material = load_material(record.config)
    if (material.data, material.unannotated) != (record.data, record.unannotated):
        raise TrainingError(
            f"the data has changed since the run in {run}, so nothing is known to be held out"
        )
    network.save_pretrained(out / "network")
    shutil.copy(run / "network" / "tokenizer.json", out / "network")
    record.blend = Blend(model=name, sha256=sha256_of(weights_file(model)), share=share)
    _choose(record, material, network, out)
    record.finished_at = now()
    record.write(out)
    return record


def _origin(model: Path) -> tuple[str, float]:
    """What to call a run or a version, and the share of the queries that it did not learn from."""
    record = read_record(model)
    if record is not None:
        return str(model), record.config.holdout
    manifest = read_manifest(model)
    training = (manifest.model_extra or {}).get("training", {})
    return manifest.id, float(training.get("config", {}).get("holdout", 0.0))


def _choose(record: RunRecord, material: Material, network: torch.nn.Module, folder: Path) -> None:
    held = material.held_out
    record.n_train, record.n_held_out = len(material.kept), len(held)
    if held:
        answers = answer_all(
            network,
            load_tokenizer(str(folder / "network")),
            held,
            max_tokens=record.config.max_tokens,
            bfloat16=record.config.bfloat16 and bfloat16_is_faster(),
        )
        choose_by_held_out(record, answers, material.kept)
    else:
        record.held_out, record.held_out_unlike = {}, {}
        record.decoding_from = "the run, none of whose queries is held out from both"
