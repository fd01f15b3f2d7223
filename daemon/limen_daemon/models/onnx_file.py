"""Refuses ONNX files that point at data outside themselves, before ONNX Runtime sees them.

ONNX Runtime has read a hard-linked foreign file named by a tensor's external data. This walk over the
protobuf wire format visits every TensorProto (initializers, sparse ones, attributes of nodes, subgraphs,
functions, training graphs) without building the model in memory.
Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

from __future__ import annotations

from limen_daemon.errors import ModelDamaged

# message -> {field number: message of that field}
_MESSAGES: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_EXTERNAL_DATA = 13
_DATA_LOCATION = 14
_MAX_DEPTH = 64
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def check_onnx(data: bytes) -> None:
    """Walk the whole model.

    Raises: `ModelDamaged` for external data, for a file that is no protobuf, and for one without a graph.
    """
    if not _walk(memoryview(data), "model", 0):
        raise ModelDamaged("The file is not an ONNX model: it holds no graph.")


def _walk(data: memoryview, message: str, depth: int) -> bool:
    """Whether the message had any submessage that is walked (for a model: a graph)."""
    if depth > _MAX_DEPTH:
        raise ModelDamaged("The ONNX file is nested too deeply to be a real model.")
    inner = _MESSAGES[message]
    position, walked = 0, False
    while position < len(data):
        key, position = _varint(data, position)
        field, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, position = _varint(data, position)
            if message == "tensor" and field == _DATA_LOCATION and value != 0:
                raise _outside()
        elif wire == _BYTES:
            length, position = _varint(data, position)
            end = position + length
            if end > len(data):
                raise _broken()
            if message == "tensor" and field in (_EXTERNAL_DATA, _DATA_LOCATION):
                raise _outside()
            if field in inner:
                walked = True
                _walk(data[position:end], inner[field], depth + 1)
            position = end
        elif wire in (_FIXED64, _FIXED32):
            position += 8 if wire == _FIXED64 else 4
        else:
            raise _broken()
        if field == 0 or position > len(data):
            raise _broken()
    return walked


def _varint(data: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(data):
            raise _broken()
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position
    raise _broken()


def _outside() -> ModelDamaged:
    return ModelDamaged(
        "The ONNX file keeps weights in other files, which Limen refuses. Save it as one file."
    )


def _broken() -> ModelDamaged:
    return ModelDamaged("The file is not a whole ONNX model. Download it again.")
