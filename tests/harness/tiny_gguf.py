"""Real GGUF models of half a megabyte, with random weights, written with the `gguf` package."""

from __future__ import annotations

from pathlib import Path

import numpy as np

WIDTH, BLOCKS, HEADS, KV_HEADS, FEED_FORWARD = 64, 2, 4, 2, 128
CONSTANT = 16.0
"""First value of every embedding of a leaning model: it outweighs what the blocks add."""

CONTROL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGES = ("t h", "Ġ t", "i n", "e r", "th e", "Ġ the")


def _byte_alphabet() -> list[str]:
    """The 256 characters that stand for bytes in a byte-level vocabulary (GPT-2)."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return [chr(256 + hidden.index(byte)) if byte in hidden else chr(byte) for byte in range(256)]


def vocabulary() -> list[str]:
    """Control tokens, bytes, and one token per merge."""
    return [*CONTROL_TOKENS, *_byte_alphabet(), *(merge.replace(" ", "") for merge in MERGES)]


def write_tiny_gguf(
    path: Path,
    *,
    seed: int = 0,
    architecture: str = "llama",
    tied: bool = True,
    leaning: dict[str, float] | None = None,
) -> Path:
    """A model of `architecture` (llama or qwen2) in float32 that llama.cpp and transformers both load.

    `leaning`: how much likelier (or less likely) than at random it writes a token, in units of its logits.
    """
    import gguf

    rng = np.random.default_rng(seed)
    tokens = vocabulary()
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name("tiny")
    writer.add_block_count(BLOCKS)
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    control = gguf.TokenType.CONTROL
    writer.add_token_types([control] * len(CONTROL_TOKENS) + [gguf.TokenType.NORMAL] * (len(tokens) - 3))
    writer.add_token_merges(list(MERGES))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_pad_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template("{{ raise_exception('never rendered') }}")

    def matrix(rows: int, columns: int) -> np.ndarray:
        return rng.normal(0, 0.6 / np.sqrt(columns), (rows, columns)).astype(np.float32)

    ones = np.ones(WIDTH, dtype=np.float32)
    key_width = WIDTH // HEADS * KV_HEADS
    embedding = matrix(len(tokens), WIDTH) * 8
    output = None if tied and not leaning else matrix(len(tokens), WIDTH) * 8
    if leaning and output is not None:
        embedding[:, 0] = CONSTANT
        output[:, 0] = 0
        for token, strength in leaning.items():
            output[tokens.index(token), 0] = strength
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", ones)
    if output is not None:
        writer.add_tensor("output.weight", output)
    for block in range(BLOCKS):
        name = f"blk.{block}"
        writer.add_tensor(f"{name}.attn_norm.weight", ones)
        writer.add_tensor(f"{name}.ffn_norm.weight", ones)
        writer.add_tensor(f"{name}.attn_q.weight", matrix(WIDTH, WIDTH))
        writer.add_tensor(f"{name}.attn_k.weight", matrix(key_width, WIDTH))
        writer.add_tensor(f"{name}.attn_v.weight", matrix(key_width, WIDTH))
        writer.add_tensor(f"{name}.attn_output.weight", matrix(WIDTH, WIDTH))
        writer.add_tensor(f"{name}.ffn_gate.weight", matrix(FEED_FORWARD, WIDTH))
        writer.add_tensor(f"{name}.ffn_up.weight", matrix(FEED_FORWARD, WIDTH))
        writer.add_tensor(f"{name}.ffn_down.weight", matrix(WIDTH, FEED_FORWARD))
        if architecture == "qwen2":
            for part, width in (("q", WIDTH), ("k", key_width), ("v", key_width)):
                bias = rng.normal(0, 0.1, width).astype(np.float32)
                writer.add_tensor(f"{name}.attn_{part}.bias", bias)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
