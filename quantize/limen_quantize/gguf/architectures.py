"""How a causal model's tensors and settings are called in GGUF and in transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from limen_daemon.errors import ConfigError

_PARTS = {
    "attn_norm.weight": "input_layernorm.weight",
    "attn_q.weight": "self_attn.q_proj.weight",
    "attn_k.weight": "self_attn.k_proj.weight",
    "attn_v.weight": "self_attn.v_proj.weight",
    "attn_q.bias": "self_attn.q_proj.bias",
    "attn_k.bias": "self_attn.k_proj.bias",
    "attn_v.bias": "self_attn.v_proj.bias",
    "attn_output.weight": "self_attn.o_proj.weight",
    "ffn_norm.weight": "post_attention_layernorm.weight",
    "ffn_gate.weight": "mlp.gate_proj.weight",
    "ffn_up.weight": "mlp.up_proj.weight",
    "ffn_down.weight": "mlp.down_proj.weight",
}
_WHOLE = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
ROPE_FACTORS = "rope_freqs.weight"
"""A constant of Llama 3.x: divisors of the rotary frequencies, not a weight."""


class Architecture(NamedTuple):
    """One model family. `interleaved`: query and key rows are stored in the order of llama.cpp's rotation."""

    name: str
    model_type: str
    interleaved: bool


ARCHITECTURES = {
    "llama": Architecture("llama", "llama", interleaved=True),  # SmolLM2, Llama 3.x, TinyLlama
    "qwen2": Architecture("qwen2", "qwen2", interleaved=False),  # Qwen2, Qwen2.5
}


def architecture_of(metadata: Mapping[str, Any]) -> Architecture:
    """Raises: `ConfigError` for a family that cannot be tuned here."""
    name = str(metadata.get("general.architecture"))
    if name not in ARCHITECTURES:
        known = ", ".join(sorted(ARCHITECTURES))
        raise ConfigError(f"Models of architecture {name!r} cannot be tuned; choose one of: {known}.")
    return ARCHITECTURES[name]


def torch_name(gguf_name: str) -> str:
    """The transformers name of a GGUF tensor. Raises: `ConfigError` for an unknown one."""
    if gguf_name in _WHOLE:
        return _WHOLE[gguf_name]
    if gguf_name.startswith("blk."):
        _, block, part = gguf_name.split(".", 2)
        if part in _PARTS:
            return f"model.layers.{block}.{_PARTS[part]}"
    raise ConfigError(f"The base model has a tensor {gguf_name!r} that this version cannot convert.")


def config_values(architecture: Architecture, metadata: Mapping[str, Any], *, tied: bool) -> dict[str, Any]:
    """Keyword arguments of the transformers configuration, from the GGUF metadata."""

    def value(key: str, default: Any = None) -> Any:
        found = metadata.get(f"{architecture.name}.{key}", default)
        if found is None:
            raise ConfigError(f"The base model's metadata has no {architecture.name}.{key}.")
        return found

    heads = int(value("attention.head_count"))
    width = int(value("embedding_length"))
    return {
        "hidden_size": width,
        "intermediate_size": int(value("feed_forward_length")),
        "num_hidden_layers": int(value("block_count")),
        "num_attention_heads": heads,
        "num_key_value_heads": int(value("attention.head_count_kv", heads)),
        "head_dim": int(value("attention.key_length", width // heads)),
        "rms_norm_eps": float(value("attention.layer_norm_rms_epsilon")),
        "rope_theta": float(value("rope.freq_base", 10_000.0)),
        "max_position_embeddings": int(value("context_length")),
        "vocab_size": len(metadata["tokenizer.ggml.tokens"]),
        "tie_word_embeddings": tied,
        "bos_token_id": metadata.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": metadata.get("tokenizer.ggml.eos_token_id"),
    }


def _rotated_heads(gguf_name: str, config: Mapping[str, Any]) -> int | None:
    part = gguf_name.split(".", 2)[-1]
    if part.startswith("attn_q."):
        return int(config["num_attention_heads"])
    if part.startswith("attn_k."):
        return int(config["num_key_value_heads"])
    return None


def to_torch_layout(
    tensors: Mapping[str, NDArray[np.float32]], architecture: Architecture, config: Mapping[str, Any]
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """GGUF tensors (name, float32) with transformers' names and row order."""
    for name, tensor in tensors.items():
        if name == ROPE_FACTORS:
            continue
        heads = _rotated_heads(name, config) if architecture.interleaved else None
        yield torch_name(name), tensor if heads is None else deinterleave(tensor, heads)


def to_gguf_layout(
    name: str, tensor: NDArray[np.float32], architecture: Architecture, config: Mapping[str, Any]
) -> NDArray[np.float32]:
    """A transformers tensor in the row order of the GGUF tensor `name`."""
    heads = _rotated_heads(name, config) if architecture.interleaved else None
    return tensor if heads is None else interleave(tensor, heads)


def interleave(tensor: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """Row order of transformers (two halves a head) to that of llama.cpp (pairs)."""
    rows = tensor.shape[0]
    return (
        tensor.reshape(heads, 2, rows // heads // 2, *tensor.shape[1:]).swapaxes(1, 2).reshape(tensor.shape)
    )


def deinterleave(tensor: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """Inverse of `interleave`."""
    rows = tensor.shape[0]
    return (
        tensor.reshape(heads, rows // heads // 2, 2, *tensor.shape[1:]).swapaxes(1, 2).reshape(tensor.shape)
    )
