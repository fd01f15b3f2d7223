"""`POST /v1/decisions/…`, `/v1/lists/…`, `/v1/profile/…`, `/v1/placeholders/…` on the wire.

Where the profile package has a model for it, that model is the wire's too.
"""

from __future__ import annotations

from pydantic import Field, SecretStr

from limen_daemon.wire.models import WireModel
from limen_profiles import RuleOut
from limen_profiles.records import Decision


class Recorded(WireModel):
    """`id` is null when nothing was stored: recording is paused, or sent messages are not learned from."""

    id: int | None


class EditRequest(WireModel):
    id: int = Field(ge=1)
    decision: Decision


class Deleted(WireModel):
    deleted: int


class ByIdRequest(WireModel):
    id: int = Field(ge=1)


class Done(WireModel):
    """The answer of a call that has nothing to tell: `{}`."""


class Lists(WireModel):
    items: list[RuleOut]


class PauseRequest(WireModel):
    """0 ends a pause."""

    minutes: int = Field(ge=0, le=7 * 24 * 60)


class Paused(WireModel):
    paused_until: int | None


class UnlockRequest(WireModel):
    passphrase: SecretStr | None = None


class ExportRequest(WireModel):
    passphrase: SecretStr


class Exported(WireModel):
    """`sealed`: the content of the file to save."""

    sealed: str


class ImportRequest(WireModel):
    """`passphrase` is needed for a sealed export."""

    content: str = Field(min_length=2)
    passphrase: SecretStr | None = None


class EraseRequest(WireModel):
    confirm: str = Field(max_length=20)
