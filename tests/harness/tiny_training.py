"""Trains the tiny random encoder of `tests/quantize` by the real command, and asks what it learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

TINY = {
    "holdout": 0.0,
    "encoder_rate": 1e-3,
    "head_rate": 1e-2,
    "batch_queries": 2,
    "max_tokens": 64,
    "bfloat16": False,
}
FIELDS = {**TINY, "epochs": 12, "augmentation": {"join_neutral": 0, "paste_context": 0}}


def trained(base: Path, data: Path, out: Path, *options: str, **fields: object) -> Path:
    from limen_quantize.commands.train import train

    sets = [f"--set={name}={json.dumps(value)}" for name, value in {**FIELDS, **fields}.items()]
    arguments = ["--base", str(base), "--data", str(data), "--out", str(out), *sets, *options]
    result = CliRunner().invoke(train, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return out


def batch(base: Path, data: Path) -> dict[str, Any]:
    from limen_quantize.encoding import encode
    from limen_quantize.network import tensors
    from limen_quantize.readers import read
    from limen_quantize.training_run import load_tokenizer

    tokenizer = load_tokenizer(str(base))
    windows = [window for query in read(str(data)) for window in encode(query, tokenizer, max_tokens=64)]
    return tensors(windows, padding_id=1)


def logits(folder: Path, made: dict[str, Any]) -> Any:
    import torch

    from limen_quantize.distillation import load_teacher

    with torch.no_grad():
        return (
            load_teacher(folder)(input_ids=made["input_ids"], attention_mask=made["attention_mask"])
            .logits.float()
            .clone()
        )
