"""Torch to GGUF: the base file's metadata and tokenizer are kept as they are, the weights are new."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from limen_daemon.errors import ConfigError
from limen_quantize.gguf.architectures import ROPE_FACTORS, to_gguf_layout, torch_name
from limen_quantize.gguf.reading import GgufWeights

if TYPE_CHECKING:
    from gguf import GGUFWriter
    from transformers import PreTrainedModel

FloatType = Literal["f16", "f32"]
_DROPPED = {
    "tokenizer.chat_template",
    "general.file_type",
    "general.quantization_version",
    "general.architecture",
}


def state_of(model: PreTrainedModel) -> dict[str, NDArray[np.float32]]:
    """Every weight as float32, under its transformers name."""
    return {name: tensor.detach().float().cpu().numpy() for name, tensor in model.state_dict().items()}


def write_gguf(
    base: GgufWeights,
    state: Mapping[str, NDArray[np.float32]],
    path: Path,
    *,
    float_type: FloatType = "f16",
    name: str | None = None,
) -> Path:
    """Write `state` (transformers names) in the shape of `base`; matrices as `float_type`, vectors as f32.

    The chat template is left out: Limen never renders one. The file appears under `path` when it is whole.
    Raises: `ConfigError` when `state` does not fit the base model.
    """
    from gguf import GGUFWriter, LlamaFileType

    partial = path.with_name(path.name + ".part")
    writer = GGUFWriter(partial, arch=base.architecture.name, use_temp_file=False)
    _copy_metadata(writer, base, name)
    writer.add_file_type(LlamaFileType.MOSTLY_F16 if float_type == "f16" else LlamaFileType.ALL_F32)
    for gguf_name, original in base.tensors.items():
        tensor = original if gguf_name == ROPE_FACTORS else _tensor(gguf_name, state, base)
        if tensor.shape != original.shape:
            raise ConfigError(
                f"{gguf_name}: shape {tensor.shape} does not fit the base model's {original.shape}."
            )
        is_matrix = tensor.ndim > 1
        dtype = np.float16 if is_matrix and float_type == "f16" else np.float32
        writer.add_tensor(gguf_name, np.ascontiguousarray(tensor, dtype=dtype))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    partial.replace(path)
    return path


def _tensor(
    gguf_name: str, state: Mapping[str, NDArray[np.float32]], base: GgufWeights
) -> NDArray[np.float32]:
    name = torch_name(gguf_name)
    if name not in state:
        raise ConfigError(f"The tuned weights have no {name}; they belong to another base model.")
    return to_gguf_layout(gguf_name, state[name], base.architecture, base.config)


def _copy_metadata(writer: GGUFWriter, base: GgufWeights, name: str | None) -> None:
    from gguf import GGUFReader, GGUFValueType

    for key, field in GGUFReader(base.path).fields.items():
        if "." not in key or key.startswith("GGUF.") or key in _DROPPED:
            continue
        value: Any = field.contents()
        if key == "general.name" and name is not None:
            value = name
        kind = field.types[0]
        if kind == GGUFValueType.ARRAY:
            if not value:
                continue
            writer.add_key_value(key, value, kind, sub_type=field.types[-1])
        else:
            writer.add_key_value(key, value, kind)
