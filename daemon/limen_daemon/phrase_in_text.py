"""A phrase where it stands: what wordings and stand-ins are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from limen_daemon.findings import Category
from limen_daemon.information.language import Language, clause_language


@dataclass(frozen=True)
class PhraseInText:
    """`text[start:end]` is the phrase; offsets are code points."""

    text: str
    start: int
    end: int
    category: Category

    @cached_property
    def phrase(self) -> str:
        return self.text[self.start : self.end]

    @cached_property
    def language(self) -> Language:
        """That of the clause around the phrase."""
        return clause_language(self.text, self.start, self.end)
