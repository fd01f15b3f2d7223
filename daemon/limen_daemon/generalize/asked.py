"""What a less detailed wording is asked for: one finding in its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from limen_daemon.findings import Subject
from limen_daemon.information.language import is_other
from limen_daemon.phrase_in_text import PhraseInText

_REACH = 80
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLAUSE_END = re.compile(r"[.!?](?=\s)|[\n;。！？；]")


@dataclass(frozen=True)
class Asked(PhraseInText):
    """Granularity and identifiability: 1 to 3."""

    subject: Subject
    granularity: int
    identifiability: int

    @cached_property
    def is_readable(self) -> bool:
        """False where the clause is in a language whose grammar is not known here."""
        return self.language != "en" or not is_other(f"{self.before}{self.phrase}{self.after}")

    @cached_property
    def before(self) -> str:
        """What stands before the phrase in its clause, at most 80 characters."""
        left = self.text[max(0, self.start - _REACH) : self.start]
        cuts = [found.end() for found in _CLAUSE_END.finditer(left)]
        return left[cuts[-1] :] if cuts else left

    @cached_property
    def after(self) -> str:
        right = self.text[self.end : self.end + _REACH]
        found = _CLAUSE_END.search(right)
        return right[: found.start()] if found else right

    @cached_property
    def previous(self) -> str:
        """The word right before the phrase, lower case; "" behind a sign."""
        found = re.search(r"([^\W_]+(?:['’][^\W_]+)*)[ \t\u00a0]*$", self.before)
        return found.group(1).lower().replace("’", "'") if found else ""

    @property
    def previous_sign(self) -> str:
        """The character right before the phrase."""
        return self.text[self.start - 1 : self.start]

    @cached_property
    def next(self) -> str:
        """The word right behind the phrase, lower case; "" before a sign."""
        found = re.match(r"[ \t\u00a0]+([^\W_]+(?:['’][^\W_]+)*)", self.after)
        return found.group(1).lower() if found else ""

    @cached_property
    def words(self) -> list[str]:
        return [word.lower() for word in _WORD.findall(self.phrase)]

    @property
    def their(self) -> str:
        """The possessive for the person the phrase is about, seen from the user."""
        return "my" if self.subject is Subject.USER else "their"
