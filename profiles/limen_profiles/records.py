"""What goes into the profile and comes out of it, checked. Routes and commands use the same models.

Times are milliseconds since 1970 in UTC. No model's error shows what was given to it.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Decision = Literal["kept", "redacted", "generalized", "allowed_always", "blocked_always", "dismissed", "sent"]
Look = Literal["strong", "soft", "quiet"]
RuleKind = Literal["allow", "block"]
Scope = Literal["value", "category", "site"]
Caution = Literal["careful", "balanced", "relaxed"]

ACCEPTED: frozenset[Decision] = frozenset({"kept", "allowed_always", "dismissed", "sent"})
"""Choices that let the phrase through. "sent" (left in a sent message) and "dismissed" (the mark was closed
without a choice) are weaker evidence than "kept"."""

MAX_PAGE_SIZE = 200


SITE = re.compile(r"[a-z0-9._:\[\]-]*")


def _site(value: str) -> str:
    """A host name, with a port where the page has one; empty where there is no page."""
    site = value.strip().lower().rstrip(".")
    if not SITE.fullmatch(site):
        raise ValueError("not a host name")
    return site


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Level = Annotated[int, Field(ge=1, le=3)]
Site = Annotated[str, Field(max_length=253), AfterValidator(_site)]
Phrase = Annotated[str, Field(min_length=1, max_length=2000)]
RowId = Annotated[int, Field(ge=1, le=2**63 - 1)]
TimeMs = Annotated[int, Field(ge=0, le=2**53)]


class Record(BaseModel):
    """Frozen, strict about unknown fields, silent about values."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Exposure(Record):
    """One phrase that a detector marked, with where it would go: what a boundary is asked for."""

    phrase: Phrase
    information: Annotated[str, Field(max_length=2000)] = ""
    category: Name
    subject: Name = "user"
    granularity: Level
    identifiability: Level
    tier: Name = "disclosure"


class Context(Record):
    """Where a message would go."""

    site: Site = ""
    recipient: Name = "ai_provider"


class DecisionIn(Exposure):
    """One choice, as it is recorded."""

    decision: Decision
    to_granularity: Level | None = None
    to_identifiability: Level | None = None
    site: Site = ""
    recipient: Name = "ai_provider"
    p_accept: Annotated[float, Field(ge=0, le=1)] | None = None
    detector: Annotated[str, Field(max_length=120)] = ""


class DecisionOut(Record):
    """One choice, as it is shown. `phrase` and `information` are None when the phrase was rejected."""

    id: RowId
    at: TimeMs
    decision: Decision
    phrase: str | None
    information: str | None
    category: str
    subject: str
    granularity: int
    identifiability: int
    to_granularity: int | None
    to_identifiability: int | None
    tier: str
    site: str
    recipient: str
    p_accept: float | None
    detector: str


class Filter(Record):
    """Which decisions are meant: all that fit every field given. `since` is included, `until` is not."""

    site: Site | None = None
    category: Name | None = None
    decision: Decision | None = None
    subject: Name | None = None
    granularity: Level | None = None
    identifiability: Level | None = None
    since: TimeMs | None = None
    until: TimeMs | None = None
    search: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Found anywhere in the phrase or in what it tells, without regard to case."""


class PageRequest(Filter):
    page: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    page_size: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = 50

    def filter(self) -> Filter:
        return Filter(**self.model_dump(include=set(Filter.model_fields)))


class Page(Record):
    items: list[DecisionOut]
    total: int


class Deletion(Record):
    """Either ids or a filter. An empty filter means every decision and must be asked for as such."""

    ids: Annotated[list[RowId], Field(min_length=1, max_length=1000)] | None = None
    filter: Filter | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.ids is None) == (self.filter is None):
            raise ValueError("give ids or a filter, not both")
        return self


class Share(Record):
    """How many of `total` choices let the phrase through."""

    accepted: int
    total: int


class CellShare(Share):
    granularity: int
    identifiability: int


class NamedShare(Share):
    name: str


class MonthShare(Share):
    month: str
    """As "2026-11"."""


class Summary(Record):
    total: int
    accepted: int
    by_cell: list[CellShare]
    by_category: list[NamedShare]
    by_site: list[NamedShare]
    by_month: list[MonthShare]
    by_decision: dict[Decision, int]


class RuleIn(Record):
    rule: RuleKind
    scope: Scope
    value: Phrase


class RuleOut(Record):
    """A rule as it is shown. A blocked value is shown masked: it is stored as a keyed hash."""

    id: RowId
    rule: RuleKind
    scope: Scope
    value: str
    created_at: TimeMs


ReasonKind = Literal["kind_on_site", "kind", "category", "rule"]


class Reason(Record):
    """Why a phrase looks as it does, in a form that any language can say.

    `kind_on_site`, `kind`, `category`: how many of `total` earlier choices about this kind of thing (on this
    site; in this category) kept it. `rule`: the user's own rule, with what it is about.
    """

    kind: ReasonKind
    accepted: int | None = None
    total: int | None = None
    rule: RuleKind | None = None
    scope: Scope | None = None


class Boundary(Record):
    """Where one phrase lies for this user. `p_accept` is None when nothing was predicted.

    `evidence`: how many choices of this user weighed in. `why`: an English sentence for the user, or None;
    `reason`: the same for those who say it in another language.
    """

    look: Look
    p_accept: float | None = None
    evidence: int = 0
    why: str | None = None
    reason: Reason | None = None
