"""Reads the word lists: one JSON file per language, topic -> kind -> words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from limen_daemon.information.language import Language

MAX_WORDS = 4


@dataclass(frozen=True, slots=True)
class Kind:
    """A word of a list at `[start, end)`, and the kind it belongs to ("an antidepressant")."""

    start: int
    end: int
    kind: str


class Topic:
    """The words of one topic in one language."""

    def __init__(self, kinds: dict[str, str], language: Language) -> None:
        self._chinese = language == "zh"
        self._kinds = {
            word.strip().casefold(): kind
            for kind, words in kinds.items()
            for word in words.split(";")
            if word.strip()
        }
        self._longest = max((len(word) for word in self._kinds), default=0)

    def find(self, text: str) -> Iterator[Kind]:
        """Left to right, the longest word at each spot."""
        yield from self._find_chinese(text) if self._chinese else self._find_words(text)

    def _find_words(self, text: str) -> Iterator[Kind]:
        words = list(_WORD.finditer(text))
        index = 0
        while index < len(words):
            for count in range(min(MAX_WORDS, len(words) - index), 0, -1):
                last = words[index + count - 1]
                said = text[words[index].start() : last.end()].casefold()
                kind = self._kinds.get(said)
                if kind is None and said.endswith("s"):
                    kind = self._kinds.get(said[:-1])
                if kind is not None:
                    yield Kind(words[index].start(), last.end(), kind)
                    index += count
                    break
            else:
                index += 1

    def _find_chinese(self, text: str) -> Iterator[Kind]:
        low, index = text.casefold(), 0
        while index < len(low):
            for length in range(min(self._longest, len(low) - index), 0, -1):
                kind = self._kinds.get(low[index : index + length])
                if kind is not None and not (length == 1 and kind):
                    yield Kind(index, index + length, kind)
                    index += length
                    break
            else:
                index += 1


_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@cache
def terms(language: Language, topic: str) -> Topic:
    content = resources.files("limen_daemon.generalize.terms").joinpath(f"{language}.json").read_text("utf-8")
    return Topic(json.loads(content).get(topic, {}), language)
