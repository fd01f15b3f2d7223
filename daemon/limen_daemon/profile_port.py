"""What the daemon's own routes need from a profile, whoever keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from limen_daemon.findings import Finding

ProfileMode = Literal["on", "locked", "off", "paused"]
Look = Literal["strong", "soft", "quiet"]


class ProfileState(BaseModel):
    """`paused_until`: Unix time in milliseconds, when `mode` is "paused" and the pause has an end."""

    model_config = ConfigDict(frozen=True)

    mode: ProfileMode
    paused_until: int | None = None


class Reason(BaseModel):
    """Why a finding looks as it does, for whoever says it in the user's language.

    `kind` is "kind_on_site", "kind" or "category" with `accepted` of `total` earlier choices, or "rule" with
    the user's own rule ("allow", "block") and its scope ("value", "category", "site").
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    kind: Literal["kind_on_site", "kind", "category", "rule"]
    accepted: int | None = Field(default=None, ge=0)
    total: int | None = Field(default=None, ge=0)
    rule: Literal["allow", "block"] | None = None
    scope: Literal["value", "category", "site"] | None = None


class Boundary(BaseModel):
    """How a finding stands to the user's own boundary.

    `p_accept`: probability, 0 to 1, that the user lets it go; None when nothing is known.
    `evidence`: how many of the user's decisions that rests on. `why`: one short English sentence, or None;
    `reason`: the same as data.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    look: Look
    p_accept: float | None = Field(default=None, ge=0, le=1)
    evidence: int = Field(default=0, ge=0)
    why: str | None = None
    reason: Reason | None = None


class ProfilePort(Protocol):
    """A profile as the detect and status routes use it. Never blocks the event loop."""

    async def state(self) -> ProfileState: ...

    async def judge(
        self, findings: Sequence[Finding], *, site: str | None, recipient: str
    ) -> Sequence[Boundary]:
        """One boundary per finding, in order.

        A profile that is locked or off gives `default_boundary` for each; it never raises for that.
        """
        ...


def default_boundary(finding: Finding) -> Boundary:
    """Without a profile: secrets look strong, everything else soft."""
    return Boundary(look="strong" if finding.tier == "secret" else "soft")


class NoProfile:
    """The profile of a daemon that keeps none."""

    async def state(self) -> ProfileState:
        return ProfileState(mode="off")

    async def judge(
        self, findings: Sequence[Finding], *, site: str | None, recipient: str
    ) -> Sequence[Boundary]:
        return [default_boundary(finding) for finding in findings]
