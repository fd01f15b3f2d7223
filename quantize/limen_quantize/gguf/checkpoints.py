"""A tuning run on disk: what is tuned and the optimizer's state as safetensors, so a killed run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from limen_quantize.errors import TrainingError

NAME = "checkpoint.safetensors"
_MOMENTS = ("exp_avg", "exp_avg_sq")

Named = Sequence[tuple[str, nn.Parameter]]


def save(folder: Path, named: Named, optimizer: torch.optim.AdamW, *, step: int, fingerprint: str) -> None:
    """Write the state after `step` steps; the file is replaced as a whole."""
    tensors: dict[str, torch.Tensor] = {}
    for name, parameter in named:
        tensors[f"weight.{name}"] = parameter.detach().contiguous()
        for moment in _MOMENTS:
            if moment in optimizer.state[parameter]:
                tensors[f"{moment}.{name}"] = optimizer.state[parameter][moment].contiguous()
    partial = folder / f"{NAME}.part"
    save_file(tensors, partial, metadata={"step": str(step), "fingerprint": fingerprint})
    partial.replace(folder / NAME)


def load(folder: Path, named: Named, optimizer: torch.optim.AdamW, *, fingerprint: str) -> int:
    """Put the saved state back; returns the number of steps done, 0 when nothing was saved.

    Raises: `TrainingError` when the folder holds the run of another configuration.
    """
    path = folder / NAME
    if not path.is_file():
        return 0
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata()
        if metadata.get("fingerprint") != fingerprint:
            raise TrainingError(f"{folder} holds a run with other settings or data; choose another --out.")
        step = int(metadata["step"])
        saved = set(file.keys())
        with torch.no_grad():
            for name, parameter in named:
                parameter.copy_(file.get_tensor(f"weight.{name}"))
                if f"exp_avg.{name}" in saved:
                    state = {moment: file.get_tensor(f"{moment}.{name}") for moment in _MOMENTS}
                    optimizer.state[parameter] = {"step": torch.tensor(float(step)), **state}
    return step
