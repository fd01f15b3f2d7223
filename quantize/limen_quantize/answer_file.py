"""What a network of another kind answered to texts beforehand, for a student to learn from.

Such a network reads other tokens than the student, so its answers are kept by code points and put on the
student's tokens when they are needed. A file (NumPy's npz) holds no text: texts are named by their hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from limen_daemon.detector.decode import OUTSIDE, Floats, Offsets, trimmed
from limen_quantize.errors import DataError
from limen_quantize.queries import key_of

N_TAGS = 3


class GivenAnswer(NamedTuple):
    """One text's answer. `ranges` (n, 2): code points of the n tokens; `tags` (n, 3): their probabilities;
    `leak`: the probability that the text discloses anything."""

    ranges: npt.NDArray[np.int32]
    tags: Floats
    leak: float


class CharacterAnswer(NamedTuple):
    """An answer by code points, so that it moves along when the text is disturbed: `inside` (code points,),
    the probability of being part of a phrase. Both are NaN where nothing is known."""

    inside: Floats
    leak: float


class TokenAnswer(NamedTuple):
    """An answer on the student's tokens: `inside` (n,), the probability of being part of a phrase. Both are
    NaN where nothing is known."""

    inside: Floats
    leak: float


class GivenAnswers:
    """All answers of some files; none without files."""

    def __init__(self, files: tuple[str, ...]) -> None:
        """Read the files. Raises: `DataError` naming the file that cannot be used."""
        self._texts: dict[str, GivenAnswer] = {}
        for file in files:
            found = read_answers(Path(file))
            if found.keys() & self._texts.keys():
                raise DataError(f"{file}: answers texts that another file has answered")
            self._texts |= found

    def has(self, text: str) -> bool:
        """Whether `text` was answered."""
        return key_of(text) in self._texts

    def of(self, text: str) -> CharacterAnswer | None:
        """The answer to `text`; None when there is none."""
        answer = self._texts.get(key_of(text))
        return None if answer is None else by_character(answer, text)


def by_character(answer: GivenAnswer, text: str) -> CharacterAnswer:
    """`answer` on the code points of its `text`; blanks around a token are outside.

    Where a phrase begins is not taken over: a network whose pieces end elsewhere says it less well than one
    that reads the student's own.
    """
    inside = np.zeros(len(text), dtype=np.float32)
    covered = 0  # a character of several tokens has the answer of its first
    for (raw_start, raw_end), tags in zip(answer.ranges.tolist(), answer.tags, strict=True):
        start, end = trimmed(text, max(raw_start, covered), min(raw_end, len(text)))
        if start < end:
            inside[start:end] = 1.0 - tags[OUTSIDE]
            covered = end
    return CharacterAnswer(inside, answer.leak)


def on_tokens(answer: CharacterAnswer, text: str, offsets: Offsets) -> TokenAnswer:
    """`answer` on tokens with these code-point `offsets` in `text`: a token is as far inside a phrase as its
    characters are on average, and unknown where one of them is."""
    found = np.zeros(len(offsets), dtype=np.float32)
    for row, (raw_start, raw_end) in enumerate(offsets):
        start, end = trimmed(text, raw_start, raw_end)
        if start < end:
            found[row] = answer.inside[start:end].mean()
    return TokenAnswer(found, answer.leak)


def write_answers(path: Path, answers: Mapping[str, GivenAnswer]) -> None:
    """Write the answers to texts, named by the texts themselves."""
    ordered = sorted((key_of(text), answer) for text, answer in answers.items())
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        texts=np.array([key for key, _ in ordered]),
        sizes=np.array([len(answer.ranges) for _, answer in ordered], dtype=np.int32),
        leaks=np.array([answer.leak for _, answer in ordered], dtype=np.float32),
        ranges=np.concatenate([np.zeros((0, 2), np.int32), *(answer.ranges for _, answer in ordered)]),
        tags=np.concatenate([np.zeros((0, N_TAGS), np.float32), *(answer.tags for _, answer in ordered)]),
    )
    part.replace(path)


def read_answers(path: Path) -> dict[str, GivenAnswer]:
    """The answers in a file, by the keys of the texts. Raises: `DataError` when it is none."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            texts, sizes, leaks = stored["texts"], stored["sizes"], stored["leaks"]
            ranges, tags = stored["ranges"], stored["tags"]
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or type(error).__name__})") from error
    except Exception as error:  # a damaged archive fails in zipfile, zlib, numpy or tokenize
        raise DataError(f"{path}: holds no answers (limen quantize teach writes such files)") from error
    total = int(sizes.sum())
    whole = ranges.shape == (total, 2) and tags.shape == (total, N_TAGS) and len(texts) == len(sizes)
    if not whole or len(leaks) != len(sizes) or (sizes < 0).any():
        raise DataError(f"{path}: is damaged, its parts differ in length")
    if not (np.isfinite(tags).all() and np.isfinite(leaks).all()):
        raise DataError(f"{path}: holds numbers that are none; the network that answered had diverged")
    ends = np.cumsum(sizes)
    return {
        str(text): GivenAnswer(ranges[end - size : end], tags[end - size : end], float(leak))
        for text, size, end, leak in zip(texts, sizes, ends, leaks, strict=True)
    }
