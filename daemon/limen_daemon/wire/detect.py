"""`POST /v1/detect` on the wire. Offsets are UTF-16 units here and nowhere else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from limen_daemon.findings import Category, Finding, Source, Subject, Tier
from limen_daemon.profile_port import Boundary, ProfileMode
from limen_daemon.wire.models import WireModel
from limen_daemon.wire.utf16 import Utf16Offsets

MAX_TEXT_CHARACTERS = 100_000
MAX_CONTEXT_CHARACTERS = 20_000

Site = Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$")]
Recipient = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
CheckedBy = Literal["model", "patterns", "none"]


class DetectRequest(WireModel):
    """`context`: the assistant's last turn. `site`: the page's host name. `recipient`: who will read it."""

    text: str = Field(max_length=MAX_TEXT_CHARACTERS)
    context: str | None = Field(default=None, max_length=MAX_CONTEXT_CHARACTERS)
    site: Site | None = None
    recipient: Recipient = "ai_provider"


class WireFinding(WireModel):
    """A finding as the extension sees it: `[start, end)` in UTF-16 units of the request's text."""

    start: int
    end: int
    phrase: str
    category: Category
    subject: Subject
    granularity: int
    identifiability: int
    score: float
    information: str
    tier: Tier
    source: Source
    boundary: Boundary

    @classmethod
    def of(cls, finding: Finding, boundary: Boundary, offsets: Utf16Offsets) -> WireFinding:
        return cls(
            start=offsets.of(finding.start),
            end=offsets.of(finding.end),
            boundary=boundary,
            **finding.model_dump(exclude={"start", "end"}),
        )


class DetectAnswer(WireModel):
    """`checked_by` says who looked; a text that could not be checked is an error, never an empty list."""

    findings: tuple[WireFinding, ...]
    leak_score: float
    checked_by: CheckedBy
    detector: str
    profile: ProfileMode
