"""`POST /v1/standins/make` on the wire. Offsets are UTF-16 units."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from limen_daemon.findings import Category
from limen_daemon.wire.generalize import MAX_CLAUSE_CHARACTERS
from limen_daemon.wire.models import WireModel
from limen_profiles.placeholders import PlaceholderEntry

MAX_KNOWN = 400


class StandInRequest(WireModel):
    """A phrase in its clause, and the conversation's entries so far."""

    text: str = Field(max_length=MAX_CLAUSE_CHARACTERS)
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    category: Category
    known: Annotated[tuple[PlaceholderEntry, ...], Field(max_length=MAX_KNOWN)] = ()


class StandInAnswer(WireModel):
    """The phrase's own entry first, then those that go with it; none where no stand-in fits."""

    entries: tuple[PlaceholderEntry, ...]
