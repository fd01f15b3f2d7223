"""Tuning a tiny real model: it learns, it can be killed, and it is written back whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from limen_daemon.errors import ConfigError
from limen_quantize.errors import TrainingError
from limen_quantize.gguf.batching import plan
from limen_quantize.gguf.tuning_config import TuningConfig
from limen_quantize.settings import assigned, resolve

LINES = """\
family	my [[son is seven|relationship|r|21|The user has a seven-year-old son.]] what should he read
work	i [[work nights|occupation|s|21|The user works nights.]] and cannot sleep
code	how do i sort a list in python
other	who wrote the first dictionary
home	we [[live in leeds|location|s|22|The user lives in Leeds.]] is there a market
other	how far is the moon
smalltalk	我[[住在杭州|location|s|22|用户住在杭州。]]，有什么好吃的
other	月亮离地球多远
"""


def _config(tiny: Path, data: Path, **values: object) -> TuningConfig:
    defaults: dict[str, object] = {
        "base": str(tiny),
        "data": (str(data),),
        "rank": 4,
        "learning_rate": 5e-3,
        "batch_tokens": 1500,
        "max_tokens": 600,
        "validation": 0.13,
        "validate_every": 10,
        "save_every": 5,
        "epochs": 40,
        "max_steps": 20,
        "threads": 1,
        "bfloat16": False,
    }
    return TuningConfig.model_validate(defaults | values)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lines")
    (folder / "lines.txt").write_text(LINES, encoding="utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def _train_extra() -> None:
    pytest.importorskip("torch", reason="torch (extra train) is not installed")
    pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")


@pytest.mark.train
@pytest.mark.parametrize("method", ["lora", "full"])
def test_tuning_lowers_the_loss_and_changes_the_written_model(
    method: str, tiny_gguf: Path, lines: Path, tmp_path: Path
) -> None:
    import numpy as np

    from limen_quantize.gguf.reading import read_gguf
    from limen_quantize.gguf.run_record import RunRecord
    from limen_quantize.gguf.tuning import tune

    tuned = tune(_config(tiny_gguf, lines, method=method), tmp_path / "run", quiet=True)
    record = RunRecord.model_validate_json((tmp_path / "run" / "run.json").read_text())
    assert record.finished is not None
    assert record.steps == 20
    assert [score.step for score in record.scores] == [10, 20]
    assert record.scores[1].training_loss < 0.9 * record.scores[0].training_loss
    assert list(record.data_sha256) == [f"{lines}/lines.txt"]
    before, after = read_gguf(tiny_gguf), read_gguf(tuned)
    name = "blk.1.ffn_up.weight"
    assert np.abs(after.tensors[name] - before.tensors[name]).max() > 1e-3
    assert np.allclose(after.tensors["token_embd.weight"], before.tensors["token_embd.weight"], atol=1e-2)


@pytest.mark.train
def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(
    tiny_gguf: Path, lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    from limen_quantize.gguf import checkpoints
    from limen_quantize.gguf.reading import read_gguf
    from limen_quantize.gguf.tuning import tune

    config = _config(tiny_gguf, lines)
    unbroken = tune(config, tmp_path / "unbroken", quiet=True)
    save = checkpoints.save

    def save_then_die(*arguments: object, **named: object) -> None:
        save(*arguments, **named)  # type: ignore[arg-type]
        if named["step"] == 10:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints, "save", save_then_die)
    with pytest.raises(KeyboardInterrupt):
        tune(config, tmp_path / "broken", quiet=True)
    monkeypatch.setattr(checkpoints, "save", save)
    assert not (tmp_path / "broken" / "model-f16.gguf").exists()
    resumed = tune(config, tmp_path / "broken", quiet=True)
    first, second = read_gguf(unbroken).tensors, read_gguf(resumed).tensors
    assert all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.train
def test_bfloat16_is_used_only_where_it_is_faster_and_a_run_keeps_what_it_began_with(
    tiny_gguf: Path, lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from limen_quantize.gguf import tuning
    from limen_quantize.gguf.run_record import RunRecord

    def precision_of(folder: str) -> bool:
        return RunRecord.model_validate_json((tmp_path / folder / "run.json").read_text()).bfloat16

    config = _config(tiny_gguf, lines, bfloat16=True, max_steps=2)
    monkeypatch.setattr(tuning, "bfloat16_is_faster", lambda: False)
    tuning.tune(config, tmp_path / "slow", quiet=True)
    monkeypatch.setattr(tuning, "bfloat16_is_faster", lambda: True)
    tuning.tune(config, tmp_path / "fast", quiet=True)
    tuning.tune(config, tmp_path / "slow", quiet=True)
    assert (precision_of("slow"), precision_of("fast")) == (False, True)


@pytest.mark.train
def test_a_folder_with_another_run_is_refused(tiny_gguf: Path, lines: Path, tmp_path: Path) -> None:
    from limen_quantize.gguf.tuning import tune

    tune(_config(tiny_gguf, lines, max_steps=5), tmp_path / "run", quiet=True)
    with pytest.raises(TrainingError, match="other settings"):
        tune(_config(tiny_gguf, lines, max_steps=5, rank=8), tmp_path / "run", quiet=True)


@pytest.mark.train
def test_only_the_top_layers_are_tuned_when_asked(tiny_gguf: Path, lines: Path) -> None:
    from limen_quantize.gguf.adapters import prepare
    from limen_quantize.gguf.reading import read_gguf, to_torch

    named = prepare(to_torch(read_gguf(tiny_gguf)), _config(tiny_gguf, lines, top_layers=1), bfloat16=False)
    assert named
    assert all(".layers.1." in name for name, _ in named)


@pytest.mark.train
def test_an_untrained_adapter_changes_nothing_and_merging_equals_running_it(
    tiny_gguf: Path, lines: Path
) -> None:
    import torch

    from limen_quantize.gguf.adapters import merge, prepare
    from limen_quantize.gguf.reading import read_gguf, to_torch

    weights = read_gguf(tiny_gguf)
    ids = torch.tensor([[1, 50, 60, 70, 80]])
    with torch.no_grad():
        plain = to_torch(weights)(ids).logits
        model = to_torch(weights)
        named = prepare(model, _config(tiny_gguf, lines, dropout=0.0), bfloat16=False)
        assert torch.equal(model(ids).logits, plain)
        for _, parameter in named:
            parameter.add_(0.05 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
        adapted = model(ids).logits
        assert (adapted - plain).abs().max() > 0.01
        assert torch.allclose(merge(model)(ids).logits, adapted, atol=1e-3)


@pytest.mark.train
def test_a_run_ends_with_its_time_and_the_rate_falls_to_its_end(
    tiny_gguf: Path, lines: Path, tmp_path: Path
) -> None:
    from limen_quantize.gguf.run_record import RunRecord
    from limen_quantize.gguf.tuning import rate_at, tune

    config = _config(tiny_gguf, lines, minutes=1e-6, final_learning_rate=1e-5)
    tune(config, tmp_path / "run", quiet=True)
    assert RunRecord.model_validate_json((tmp_path / "run" / "run.json").read_text()).steps == 1
    tune(config.model_copy(update={"minutes": None}), tmp_path / "run", quiet=True)
    assert RunRecord.model_validate_json((tmp_path / "run" / "run.json").read_text()).steps == 20
    rates = [rate_at(progress / 20, config) for progress in range(21)]
    assert max(rates) == rates[1] == config.learning_rate
    assert rates[1:] == sorted(rates[1:], reverse=True)
    assert rates[-1] == pytest.approx(1e-5)


def test_every_example_is_in_one_batch_and_the_seed_decides_the_order() -> None:
    lengths = [3, 50, 7, 7, 20, 41, 5, 9]
    batches = plan(lengths, batch_tokens=60, seed=1, epoch=0)
    assert sorted(index for batch in batches for index in batch) == list(range(8))
    assert all(len(batch) * max(lengths[i] for i in batch) <= 60 for batch in batches)
    assert batches == plan(lengths, batch_tokens=60, seed=1, epoch=0)
    assert batches != plan(lengths, batch_tokens=60, seed=1, epoch=1)


def test_a_wrong_setting_is_named_in_one_sentence() -> None:
    with pytest.raises(ConfigError, match="Setting rank"):
        resolve(TuningConfig, {"data": ["x"], **assigned(["rank=0"])})
    with pytest.raises(ConfigError, match="NAME=VALUE"):
        assigned(["rank"])
    config = resolve(TuningConfig, {"data": ["x"], **assigned(["rank=8", "method=full"])})
    assert (config.rank, config.method) == (8, "full")
