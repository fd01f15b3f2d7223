"""What a network of another kind answered to texts beforehand, for a student to learn from.

Such a network reads other tokens than the student, so its answers are kept by code points and put on the
student's tokens when they are needed. A file (NumPy's npz) holds no text: texts are named by their hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from limen_daemon.detector.decode import BEGIN, INSIDE, OUTSIDE, Floats, Offsets, trimmed
from limen_quantize.errors import DataError
from limen_quantize.readings import key_of

N_TAGS = 3


class TextAnswer(NamedTuple):
    """One text's answer. `ranges` (n, 2): code points of the n tokens; `tags` (n, 3): their probabilities;
    `leak`: the probability that the text discloses anything."""

    ranges: npt.NDArray[np.int32]
    tags: Floats
    leak: float


class OnTokens(NamedTuple):
    """An answer on the student's tokens: `tags` (n, 3)."""

    tags: Floats
    leak: float


class Answers:
    """All answers of some files."""

    def __init__(self, files: tuple[str, ...]) -> None:
        """Read the files. Raises: `DataError` naming the file that cannot be used."""
        self._texts: dict[str, TextAnswer] = {}
        for file in files:
            self._texts |= read_answers(Path(file))

    def on_tokens(self, text: str, offsets: Offsets) -> OnTokens | None:
        """The answer to `text` on tokens with these code-point `offsets`; None when there is none."""
        answer = self._texts.get(key_of(text))
        if answer is None or (len(answer.ranges) and answer.ranges[-1, 1] > len(text)):
            return None
        return OnTokens(on_tokens(answer, text, offsets), answer.leak)


def on_tokens(answer: TextAnswer, text: str, offsets: Offsets) -> Floats:
    """(n, 3): a token is as far inside a phrase as its characters are on average, and it begins one as far as
    a token of the answer does that begins with it."""
    outside = np.ones(len(text) + 1)
    begins = np.zeros(len(text) + 1)
    for (raw_start, raw_end), tags in zip(answer.ranges.tolist(), answer.tags, strict=True):
        start, end = trimmed(text, raw_start, raw_end)
        if start < end:
            outside[start:end] = tags[OUTSIDE]
            begins[start] = tags[BEGIN]
    sums = np.concatenate([[0.0], np.cumsum(outside)])
    found = np.zeros((len(offsets), N_TAGS), dtype=np.float32)
    found[:, OUTSIDE] = 1.0
    for row, (raw_start, raw_end) in zip(found, offsets, strict=True):
        start, end = trimmed(text, raw_start, raw_end)
        if start < end:
            within = 1.0 - (sums[end] - sums[start]) / (end - start)
            row[OUTSIDE] = 1.0 - within
            row[BEGIN] = min(begins[start], within)
            row[INSIDE] = within - row[BEGIN]
    return found


def write_answers(path: Path, answers: Mapping[str, TextAnswer]) -> None:
    """Write the answers to texts, named by the texts themselves."""
    ordered = sorted((key_of(text), answer) for text, answer in answers.items())
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        texts=np.array([key for key, _ in ordered]),
        sizes=np.array([len(answer.ranges) for _, answer in ordered], dtype=np.int32),
        leaks=np.array([answer.leak for _, answer in ordered], dtype=np.float32),
        ranges=np.concatenate([np.zeros((0, 2), np.int32), *(answer.ranges for _, answer in ordered)]),
        tags=np.concatenate(
            [np.zeros((0, N_TAGS), np.float32), *(answer.tags.astype(np.float32) for _, answer in ordered)]
        ),
    )
    part.replace(path)


def read_answers(path: Path) -> dict[str, TextAnswer]:
    """The answers in a file, by the hashes of the texts. Raises: `DataError` when it is none."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            texts, sizes, leaks = stored["texts"], stored["sizes"], stored["leaks"]
            ranges, tags = stored["ranges"], stored["tags"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise DataError(f"{path}: holds no answers (limen quantize teach writes such files)") from error
    if len(ranges) != len(tags) or int(sizes.sum()) != len(ranges) or len(texts) != len(sizes):
        raise DataError(f"{path}: is damaged, its parts differ in length")
    ends = np.cumsum(sizes)
    return {
        str(text): TextAnswer(ranges[end - size : end], tags[end - size : end], float(leak))
        for text, size, end, leak in zip(texts, sizes, ends, leaks, strict=True)
    }
