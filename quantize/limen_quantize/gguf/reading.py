"""GGUF to torch: every quantization that the `gguf` package can undo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.errors import ExtraMissing, ModelMissing
from limen_quantize.gguf.architectures import (
    ROPE_FACTORS,
    Architecture,
    architecture_of,
    config_values,
    to_torch_layout,
)

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class GgufWeights(NamedTuple):
    """A GGUF file in memory: metadata, and every tensor as float32 under its GGUF name."""

    path: Path
    metadata: dict[str, Any]
    tensors: dict[str, NDArray[np.float32]]

    @property
    def architecture(self) -> Architecture:
        return architecture_of(self.metadata)

    @property
    def config(self) -> dict[str, Any]:
        """Keyword arguments of the transformers configuration."""
        return config_values(self.architecture, self.metadata, tied="output.weight" not in self.tensors)


def read_gguf(path: Path) -> GgufWeights:
    """Read and dequantize. Raises: `ModelMissing`, `ModelDamaged`, `ExtraMissing`."""
    try:
        import gguf
    except ImportError as error:
        raise ExtraMissing(
            'Converting GGUF files needs the train extra: pip install "limen[train]"'
        ) from error
    if not path.is_file():
        raise ModelMissing(f"There is no model file at {path}.")
    with path.open("rb") as file:
        check_gguf(file)
    reader = gguf.GGUFReader(path)
    metadata = {name: field.contents() for name, field in reader.fields.items() if "." in name}
    tensors = {
        tensor.name: np.array(gguf.dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        for tensor in reader.tensors
    }
    return GgufWeights(path, metadata, tensors)


def to_torch(weights: GgufWeights) -> PreTrainedModel:
    """A transformers causal model in float32 with these weights, in evaluation mode.

    Raises: `ConfigError` for another family, `ExtraMissing` without torch and transformers.
    """
    try:
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM
    except ImportError as error:
        raise ExtraMissing('Tuning needs torch and transformers: pip install "limen[train]"') from error
    from limen_quantize.network import ATTENTION

    config = AutoConfig.for_model(weights.architecture.model_type, **weights.config)
    config._attn_implementation = ATTENTION
    model = AutoModelForCausalLM.from_config(config)
    state = {
        name: torch.from_numpy(np.ascontiguousarray(tensor))
        for name, tensor in to_torch_layout(weights.tensors, weights.architecture, weights.config)
    }
    if config.tie_word_embeddings:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, strict=True)
    if ROPE_FACTORS in weights.tensors:
        model.model.rotary_emb.inv_freq /= torch.from_numpy(weights.tensors[ROPE_FACTORS])
    model.eval()
    return model
