"""Counting colours in a screenshot: what is painted, not what was asked to be."""

from __future__ import annotations

import struct
import zlib
from typing import BinaryIO

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 6: 4}


def read_png(source: BinaryIO) -> list[list[tuple[int, int, int]]]:
    """Rows of (red, green, blue). Only what browsers write: 8 bits a channel, not interlaced."""
    assert source.read(8) == SIGNATURE
    packed, width, channels = b"", 0, 0
    while True:
        length, kind = struct.unpack(">I4s", source.read(8))
        data = source.read(length)
        source.read(4)
        if kind == b"IHDR":
            width, _, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data)
            assert depth == 8 and not interlaced
            channels = CHANNELS[colour]
        elif kind == b"IDAT":
            packed += data
        elif kind == b"IEND":
            break
    raw, stride, rows = zlib.decompress(packed), width * channels, []
    above = bytearray(stride)
    for at in range(0, len(raw), stride + 1):
        line = _unfiltered(raw[at], bytearray(raw[at + 1 : at + 1 + stride]), above, channels)
        rows.append([(line[i], line[i + 1], line[i + 2]) for i in range(0, stride, channels)])
        above = line
    return rows


def _unfiltered(kind: int, line: bytearray, above: bytearray, step: int) -> bytearray:
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
        else:
            guess = 0
        line[i] = (line[i] + guess) & 0xFF
    return line


def count_near(source: BinaryIO, colour: tuple[int, int, int], tolerance: int = 12) -> int:
    """How many pixels differ from `colour` by at most `tolerance` in every channel."""
    return sum(
        all(abs(a - b) <= tolerance for a, b in zip(pixel, colour, strict=True))
        for row in read_png(source)
        for pixel in row
    )
