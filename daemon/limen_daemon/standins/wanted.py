"""What a stand-in is wanted for, and what one is."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources

from limen_daemon.phrase_in_text import PhraseInText


@dataclass(frozen=True, slots=True)
class StandIn:
    """`placeholder` is written instead of `value`."""

    placeholder: str
    value: str


@dataclass(frozen=True)
class Wanted(PhraseInText):
    """`known`: the conversation's stand-ins so far."""

    known: Sequence[StandIn] = field(default=())

    @cached_property
    def _taken(self) -> str:
        said = [self.text, *(one.placeholder for one in self.known), *(one.value for one in self.known)]
        return "\n".join(said).casefold()

    def is_free(self, words: str) -> bool:
        """Whether `words` stand neither in the user's text nor for anything yet."""
        return words.casefold() not in self._taken

    def known_for(self, value: str) -> str | None:
        low = value.casefold()
        return next((one.placeholder for one in self.known if one.value.casefold() == low), None)


@cache
def pool(name: str) -> tuple[str, ...]:
    content = resources.files("limen_daemon.standins").joinpath("pools.json").read_text("utf-8")
    return tuple(json.loads(content)[name].split(";"))


def pick(wanted: Wanted, choices: Sequence[str]) -> str | None:
    """One of those that are free, by chance: it must not follow from the value that it stands for."""
    free = [one for one in choices if wanted.is_free(one)]
    return secrets.choice(free) if free else None
