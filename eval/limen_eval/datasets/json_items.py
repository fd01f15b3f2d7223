"""Records of a JSON array or a JSON-lines file, each with the line it starts on."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from limen_eval.datasets.problems import Problem, ProblemKind, ProblemPolicy
from limen_eval.errors import DataError

_BLANK = " \t\r\n"


class Item(NamedTuple):
    """A decoded record and the line (from 1) it starts on."""

    value: object
    line: int


def read_items(path: Path, policy: ProblemPolicy) -> Iterator[Item]:
    """Yield the records of a file: a JSON array, one JSON object, or one JSON value per line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 (byte {error.start})") from error
    if not text.strip():
        policy.add(Problem(ProblemKind.EMPTY_FILE, str(path), 1, "-", "the file holds nothing"))
        return
    if text.lstrip().startswith("["):
        yield from _array(path, text, policy)
    else:
        yield from _lines(path, text, policy)


def _array(path: Path, text: str, policy: ProblemPolicy) -> Iterator[Item]:
    starts = [0] + [i + 1 for i, character in enumerate(text) if character == "\n"]
    decoder = json.JSONDecoder()
    position = text.index("[") + 1
    n_items = 0
    while True:
        while position < len(text) and text[position] in _BLANK + ",":
            position += 1
        line = bisect_right(starts, position)
        if position < len(text) and text[position] == "]":
            break
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            policy.add(
                Problem(ProblemKind.NOT_JSON, str(path), error.lineno, f"record {n_items + 1}", error.msg)
            )
            return
        n_items += 1
        yield Item(value, line)
    if n_items == 0:
        policy.add(Problem(ProblemKind.EMPTY_FILE, str(path), 1, "-", "the array is empty"))


def _lines(path: Path, text: str, policy: ProblemPolicy) -> Iterator[Item]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        whole = None
    if whole is not None:
        yield Item(whole, 1)
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield Item(json.loads(line), number)
        except json.JSONDecodeError as error:
            policy.add(Problem(ProblemKind.NOT_JSON, str(path), number, f"line {number}", error.msg))
