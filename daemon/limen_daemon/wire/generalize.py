"""`POST /v1/generalize` on the wire. Offsets are UTF-16 units."""

from __future__ import annotations

from pydantic import Field

from limen_daemon.findings import Category, Level, Subject
from limen_daemon.wire.models import WireModel

MAX_CLAUSE_CHARACTERS = 4_000


class GeneralizeRequest(WireModel):
    """One finding, in as much of its text as tells the grammar around it: the clause is enough."""

    text: str = Field(max_length=MAX_CLAUSE_CHARACTERS)
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    category: Category
    subject: Subject
    granularity: Level
    identifiability: Level


class WireSuggestion(WireModel):
    """`text` takes the place of `[start, end)`, which may begin before the phrase: an article, a label."""

    text: str
    start: int
    end: int
    granularity: int
    identifiability: int


class GeneralizeAnswer(WireModel):
    """The most detailed first; none where nothing sure can be said."""

    suggestions: tuple[WireSuggestion, ...]
