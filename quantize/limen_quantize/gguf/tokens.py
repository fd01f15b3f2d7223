"""The tokenizer of a GGUF file, for training: the same token ids as llama.cpp gives at run time.

Only byte-pair vocabularies (`tokenizer.ggml.model` = `gpt2`) whose way of splitting text is known here; the
patterns are those of llama.cpp's `llm_tokenizer_bpe` for the same names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers

from limen_daemon.detector.generative.instructions import Segment
from limen_daemon.errors import ConfigError

_CONTROL, _USER_DEFINED = 3, 4  # llama.cpp's token types
_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_PATTERNS = {"llama-bpe": _LLAMA3, "qwen2": _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")}


def _splitting(name: str) -> pre_tokenizers.PreTokenizer:
    if name in ("smollm", "gpt-2", "default"):
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        if name != "smollm":
            return byte_level
        return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level])
    if name in _PATTERNS:
        return pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(_PATTERNS[name]), behavior="isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
    raise ConfigError(f"The base model splits text by the rule {name!r}, which is not known here.")


class SegmentTokenizer:
    """Token ids of prompts and answers. Control tokens are recognized in `special` segments only."""

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        if metadata.get("tokenizer.ggml.model") != "gpt2":
            raise ConfigError("Only base models with a byte-pair vocabulary can be tuned.")
        tokens: list[str] = metadata["tokenizer.ggml.tokens"]
        merges = [tuple(merge.split(" ", 1)) for merge in metadata["tokenizer.ggml.merges"]]
        kinds: Sequence[int] = metadata["tokenizer.ggml.token_type"]
        self._control = {
            token: number
            for number, (token, kind) in enumerate(zip(tokens, kinds, strict=True))
            if kind == _CONTROL
        }
        self._tokenizer = Tokenizer(
            models.BPE(
                vocab={token: number for number, token in enumerate(tokens)},
                merges=merges,
                ignore_merges=metadata.get("tokenizer.ggml.pre") == "llama-bpe",
            )
        )
        self._tokenizer.pre_tokenizer = _splitting(str(metadata.get("tokenizer.ggml.pre", "default")))
        self._tokenizer.add_tokens(
            [
                AddedToken(token, normalized=False)
                for token, kind in zip(tokens, kinds, strict=True)
                if kind == _USER_DEFINED
            ]
        )
        self.end_of_text = int(metadata["tokenizer.ggml.eos_token_id"])

    def encode(self, segments: Sequence[Segment]) -> list[int]:
        """Token ids of a prompt, segment by segment."""
        ids: list[int] = []
        for segment in segments:
            for text, control in self._split(segment):
                ids.extend([control] if control is not None else self._tokenizer.encode(text).ids)
        return ids

    def with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Token ids of a text and each one's code points `[start, end)`; nothing in it is a control token."""
        encoding = self._tokenizer.encode(text)
        return encoding.ids, encoding.offsets

    def control(self, token: str) -> int:
        """The id of a control token. Raises: `ConfigError` when the vocabulary lacks it."""
        if token not in self._control:
            raise ConfigError(f"The base model has no token {token}.")
        return self._control[token]

    def _split(self, segment: Segment) -> list[tuple[str, int | None]]:
        """The segment's text between its control tokens, and those."""
        parts: list[tuple[str, int | None]] = [(segment.text, None)]
        if not segment.special:
            return parts
        for token, number in self._control.items():
            if token not in segment.text:
                continue
            divided: list[tuple[str, int | None]] = []
            for text, control in parts:
                if control is not None:
                    divided.append((text, control))
                    continue
                for index, piece in enumerate(text.split(token)):
                    divided += [(token, number)] if index else []
                    divided += [(piece, None)] if piece else []
            parts = divided
        return parts
