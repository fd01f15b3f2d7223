"""A real training of a tiny random encoder: it learns, it resumes after a kill, it averages, it records."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.tiny_training import TINY

pytestmark = pytest.mark.train

FIELDS = {**TINY, "epochs": 3, "checkpoint_every_s": 0.000001}


def arguments(base: Path, corpus_file: Path, out: Path, **fields: object) -> list[str]:
    sets = [f"--set={name}={json.dumps(value)}" for name, value in {**FIELDS, **fields}.items()]
    return ["--base", str(base), "--data", str(corpus_file), "--out", str(out), *sets]


def invoke(*args: object) -> str:
    from limen_quantize.commands.train import train

    result = CliRunner().invoke(train, args[0])  # type: ignore[arg-type]
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def weights(run: Path) -> dict[str, object]:
    from safetensors.torch import load_file

    return load_file(run / "network" / "model.safetensors")


def same(one: dict[str, object], other: dict[str, object]) -> bool:
    import torch

    return all(torch.equal(one[name], other[name]) for name in one) and one.keys() == other.keys()  # type: ignore[arg-type]


def test_training_lowers_the_loss_and_records_what_it_did(base: Path, corpus_file: Path, tmp_path: Path):
    out = tmp_path / "run"
    invoke(arguments(base, corpus_file, out, epochs=12))
    record = json.loads((out / "run.json").read_text())
    losses = [epoch["loss"] for epoch in record["members"]["1"]]
    assert len(losses) == 12
    assert losses[-1] < 0.7 * losses[0]
    assert record["state"] == "finished"
    assert len(record["data"][0]["sha256"]) == 64
    assert (record["data"][0]["queries"], record["data"][0]["disclosing"]) == (5, 3)
    assert record["versions"]["torch"]
    config = json.loads((out / "network" / "config.json").read_text())
    assert config["id2label"]["0"] == "tag:O"
    assert config["architectures"] == ["BertForTokenClassification"]
    assert (out / "network" / "tokenizer.json").is_file()


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(
    base: Path, corpus_file: Path, tmp_path: Path
):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        invoke(arguments(base, corpus_file, tmp_path / name, seed=seed))
    assert same(weights(tmp_path / "a"), weights(tmp_path / "b"))
    assert not same(weights(tmp_path / "a"), weights(tmp_path / "c"))


def test_frozen_embeddings_stay_as_they_were(base: Path, corpus_file: Path, tmp_path: Path):
    import torch
    from safetensors.torch import load_file

    invoke(arguments(base, corpus_file, tmp_path / "run"))
    before = load_file(base / "model.safetensors")["embeddings.word_embeddings.weight"]
    after = weights(tmp_path / "run")["bert.embeddings.word_embeddings.weight"]
    assert torch.equal(before, after)  # type: ignore[arg-type]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the children of a process from /proc")
def test_members_stop_when_the_run_is_killed(base: Path, corpus_file: Path, tmp_path: Path):
    """Or they would go on beside the same command, given again, and write into the same folder."""
    out = tmp_path / "run"
    command = [sys.executable, "-c", "from limen_quantize.commands.train import train; train()"]
    run = subprocess.Popen(
        [*command, *arguments(base, corpus_file, out, epochs=100_000, members=2)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    progress = [out / f"member-{number}" / "progress.json" for number in (1, 2)]
    wait_until(lambda: all(path.is_file() for path in progress))
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    assert len(children) >= 2
    run.kill()
    run.wait()
    wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def wait_until(true: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_killed_run_goes_on_and_ends_with_the_same_weights(base: Path, corpus_file: Path, tmp_path: Path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    fields = {"epochs": 60, "averaging": 0.9}
    invoke(arguments(base, corpus_file, whole, **fields))
    command = [sys.executable, "-m", "limen_daemon", "quantize", "train"]
    if not (Path(__file__).resolve().parents[2] / "daemon" / "limen_daemon" / "__main__.py").is_file():
        pytest.fail("python -m limen_daemon is gone; start the command another way here")
    started = subprocess.Popen(
        [*command, *arguments(base, corpus_file, killed, **fields)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    checkpoint = killed / "member-1" / "checkpoint.pt"
    deadline = time.monotonic() + 240
    while not checkpoint.is_file() and started.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    started.send_signal(signal.SIGKILL)
    _, errors = started.communicate()
    assert checkpoint.is_file(), errors.decode()[-2000:]
    assert json.loads((killed / "run.json").read_text())["state"] == "started"
    invoke(arguments(base, corpus_file, killed, **fields))
    assert same(weights(whole), weights(killed))
    assert not checkpoint.exists()
    unbroken, resumed = (
        [
            (epoch["epoch"], epoch["tokens"], pytest.approx(epoch["loss"]))
            for epoch in json.loads((run / "member-1" / "epochs.json").read_text())
        ]
        for run in (whole, killed)
    )
    assert len(unbroken) == 60 and resumed == unbroken, "an epoch's report covers what came before the kill"


def test_members_train_in_their_own_processes_and_are_averaged(base: Path, corpus_file: Path, tmp_path: Path):
    import torch

    out = tmp_path / "run"
    invoke(arguments(base, corpus_file, out, members=2, epochs=2))
    one, two = (weights(out / f"member-{n}") for n in (1, 2))
    assert not same(one, two)
    mean = weights(out)
    assert all(torch.allclose(mean[n], (one[n] + two[n]) / 2, atol=1e-6) for n in mean)  # type: ignore[operator, call-overload]


def test_a_second_round_goes_on_from_the_average(base: Path, corpus_file: Path, tmp_path: Path):
    plain, refined = tmp_path / "plain", tmp_path / "refined"
    invoke(arguments(base, corpus_file, plain, members=2, epochs=2))
    invoke(arguments(base, corpus_file, refined, members=2, epochs=2, refinement={"epochs": 1}))
    from safetensors.torch import load_file

    assert same(weights(plain), load_file(refined / "round-1" / "network" / "model.safetensors"))
    assert not same(weights(plain), weights(refined))
    record = json.loads((refined / "run.json").read_text())
    assert set(record["members"]) == {"1", "2", "second round, 1", "second round, 2"}


def test_a_held_out_split_gives_scores_and_decoding_rules(base: Path, corpus_file: Path, tmp_path: Path):
    lines = corpus_file.read_text(encoding="utf-8").splitlines()
    many = "\n".join(line + f" {number}" for number in range(12) for line in lines)
    corpus_file.write_text(many, encoding="utf-8")
    out = tmp_path / "run"
    invoke(arguments(base, corpus_file, out, holdout=0.3, epochs=1))
    record = json.loads((out / "run.json").read_text())
    assert record["n_held_out"] > 0
    assert record["n_train"] + record["n_held_out"] == 60
    assert set(record["held_out"]) <= {"en", "zh"} and record["held_out"]
    assert record["decoding_from"].startswith("held-out")


def test_another_configuration_does_not_overwrite_a_run(base: Path, corpus_file: Path, tmp_path: Path):
    from limen_quantize.errors import TrainingError

    invoke(arguments(base, corpus_file, tmp_path / "run", epochs=1))
    with pytest.raises(TrainingError, match="other settings"):
        invoke(arguments(base, corpus_file, tmp_path / "run", epochs=2))


def test_changed_data_is_noticed(base: Path, corpus_file: Path, tmp_path: Path):
    from limen_quantize.errors import TrainingError

    invoke(arguments(base, corpus_file, tmp_path / "run", epochs=1))
    corpus_file.write_text(corpus_file.read_text() + "travel\thow far is it\n", encoding="utf-8")
    with pytest.raises(TrainingError, match="data has changed"):
        invoke(arguments(base, corpus_file, tmp_path / "run", epochs=1))


def test_a_changed_base_is_noticed(base: Path, corpus_file: Path, tmp_path: Path):
    from limen_quantize.errors import TrainingError

    own = tmp_path / "base"
    shutil.copytree(base, own)
    invoke(arguments(own, corpus_file, tmp_path / "run", epochs=1))
    shutil.copytree(tmp_path / "run" / "network", own, dirs_exist_ok=True)
    with pytest.raises(TrainingError, match="base or a teacher has changed"):
        invoke(arguments(own, corpus_file, tmp_path / "run", epochs=1))


def test_rules_of_another_run_are_read_before_the_training(base: Path, corpus_file: Path, tmp_path: Path):
    from limen_quantize.errors import TrainingError

    (tmp_path / "first").mkdir()
    taken = ["--rules-from", str(tmp_path / "first")]
    with pytest.raises(TrainingError, match="no finished run"):
        invoke([*arguments(base, corpus_file, tmp_path / "run", epochs=1), *taken])
    assert not (tmp_path / "run").exists()
    invoke(arguments(base, corpus_file, tmp_path / "first", epochs=1))
    invoke([*arguments(base, corpus_file, tmp_path / "run", epochs=1), *taken])
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["decoding_from"] == str(tmp_path / "first")
    many = "\n".join(f"travel\thow far is {number}" for number in range(30))
    corpus_file.write_text(many, encoding="utf-8")
    with pytest.raises(TrainingError, match="set holdout to 0"):
        invoke([*arguments(base, corpus_file, tmp_path / "other", epochs=1, holdout=0.3), *taken])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("epochs", 0, "epochs"),
        ("holdout", 0.9, "holdout"),
        ("speed", 3, "speed"),
        ("base", "/nowhere", "nowhere"),
    ],
)
def test_a_wrong_setting_is_named(
    base: Path, corpus_file: Path, tmp_path: Path, field: str, value: object, said: str
):
    from limen_quantize.errors import TrainingError

    given = arguments(base, corpus_file, tmp_path / "run")
    if field == "base":
        given[1] = str(value)
    with pytest.raises(TrainingError, match=said):
        invoke([*given, f"--set={field}={json.dumps(value)}"] if field != "base" else given)
