"""The check of a GGUF file's header before llama.cpp sees it.

llama.cpp has loaded files with damaged metadata without an error, and its parser has had memory bugs
(CVE-2025-53630, CVE-2026-27940, CVE-2026-7482: a tensor offset past the end of the file leaks memory). So the
header is walked here first: magic, version, counts, string sizes, and every tensor inside the file.
Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import os
import struct
from typing import BinaryIO, NamedTuple

from limen_daemon.errors import ModelDamaged

MAX_COUNT = 1_000_000
MAX_STRING_BYTES = 1 << 20
_MAX_DIMENSIONS = 4
_STRING, _ARRAY = 8, 9
_VOCABULARY = "tokenizer.ggml.tokens"
_SCALAR_BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_KEPT_TYPES = {4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q"}

# (values in a block, bytes of a block) by ggml type id; the types that llama.cpp writes today.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110),
    22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8),
    29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18),
}  # fmt: skip


class GgufHeader(NamedTuple):
    """What Limen needs of a header: the scalar metadata, and how many tensors and bytes there are.

    `control_tokens`: the tokens of the vocabulary that look like control tokens, as `<|im_start|>`.
    """

    metadata: dict[str, str | int | float | bool]
    tensors: int
    file_bytes: int
    control_tokens: frozenset[str]


class _Cursor:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size

    def take(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) != count:
            raise ModelDamaged("The GGUF file ends inside its header; download it again.")
        return data

    def number(self, layout: str) -> int:
        return int(struct.unpack(layout, self.take(struct.calcsize(layout)))[0])

    def count(self, what: str, *, limit: int = MAX_COUNT) -> int:
        value = self.number("<Q")
        if value > limit:
            raise ModelDamaged(f"The GGUF file claims {value} {what}, more than any real model has.")
        return value

    def string(self) -> bytes:
        return self.take(self.count("bytes in one string", limit=MAX_STRING_BYTES))

    def skip(self, count: int) -> None:
        if self._file.seek(count, os.SEEK_CUR) > self._size:
            raise ModelDamaged("The GGUF file ends inside its header; download it again.")

    def tell(self) -> int:
        return self._file.tell()


def check_gguf(file: BinaryIO) -> GgufHeader:
    """Walk the header of an open file, from its start; the file position afterwards is undefined.

    Raises: `ModelDamaged` with what is wrong.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    cursor = _Cursor(file, size)
    if cursor.take(4) != b"GGUF":
        raise ModelDamaged("This is not a GGUF file (its first four bytes are not GGUF).")
    version = cursor.number("<I")
    if version not in (2, 3):
        raise ModelDamaged(f"GGUF version {version} is not supported; convert the model again (version 3).")
    tensors = cursor.count("tensors")
    fields = cursor.count("metadata fields")
    metadata: dict[str, str | int | float | bool] = {}
    control_tokens: set[str] = set()
    for _ in range(fields):
        key = cursor.string().decode("utf-8", "replace")
        kind = cursor.number("<I")
        if kind == _ARRAY:
            control_tokens |= _array(cursor, is_vocabulary=key == _VOCABULARY)
            continue
        value = _value(cursor, kind)
        if value is not None:
            metadata[key] = value
    ends = [_tensor_end(cursor) for _ in range(tensors)]
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or isinstance(alignment, bool) or not 1 <= alignment <= 1 << 16:
        raise ModelDamaged("The GGUF file has an impossible alignment.")
    data_start = -(-cursor.tell() // alignment) * alignment
    if any(data_start + end > size for end in ends):
        raise ModelDamaged("A tensor of the GGUF file lies beyond the end of the file; download it again.")
    return GgufHeader(metadata, tensors, size, frozenset(control_tokens))


def _value(cursor: _Cursor, kind: int) -> str | int | float | bool | None:
    if kind == _STRING:
        return cursor.string().decode("utf-8", "replace")
    if kind not in _SCALAR_BYTES:
        raise ModelDamaged(f"The GGUF file has a metadata field of unknown type {kind}.")
    data = cursor.take(_SCALAR_BYTES[kind])
    layout = _KEPT_TYPES.get(kind)
    if layout is None:
        return None
    value: int | float | bool = struct.unpack(layout, data)[0]
    return value


def _array(cursor: _Cursor, *, is_vocabulary: bool) -> set[str]:
    """Walk over an array; the control tokens of the vocabulary, nothing of the others."""
    kind = cursor.number("<I")
    count = cursor.count("array items", limit=10 * MAX_COUNT)
    found: set[str] = set()
    if kind == _STRING and is_vocabulary:
        for _ in range(count):
            token = cursor.string()
            if token.startswith(b"<|") and token.endswith(b"|>"):
                found.add(token.decode("utf-8", "replace"))
    elif kind == _STRING:
        for _ in range(count):
            cursor.skip(cursor.count("bytes in one string", limit=MAX_STRING_BYTES))
    elif kind in _SCALAR_BYTES:
        cursor.skip(_SCALAR_BYTES[kind] * count)
    else:
        raise ModelDamaged(f"The GGUF file has an array of unknown type {kind}.")
    return found


def _tensor_end(cursor: _Cursor) -> int:
    """The offset, from the start of the tensor data, at which one tensor ends."""
    cursor.string()
    dimensions = cursor.number("<I")
    if dimensions > _MAX_DIMENSIONS:
        raise ModelDamaged(f"The GGUF file has a tensor of {dimensions} dimensions.")
    values = 1
    for _ in range(dimensions):
        values *= cursor.number("<Q")
    kind = cursor.number("<I")
    offset = cursor.number("<Q")
    if kind not in _BLOCKS:
        raise ModelDamaged(f"The GGUF file has a tensor of unknown type {kind}.")
    block_values, block_bytes = _BLOCKS[kind]
    return offset + -(-values // block_values) * block_bytes
