"""What `limen pair`, `limen unpair` and `limen status` say to the daemon, one JSON object a line."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from limen_daemon.pairing.record import Entry


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Pair(_Message):
    do: Literal["pair"] = "pair"


class Unpair(_Message):
    """`kid` None: every pairing."""

    do: Literal["unpair"] = "unpair"
    kid: str | None


class ListPairings(_Message):
    do: Literal["list"] = "list"


class Status(_Message):
    do: Literal["status"] = "status"


class Allow(_Message):
    """The answer to `Ask`."""

    do: Literal["allow"] = "allow"
    is_allowed: bool


Request = Annotated[Pair | Unpair | ListPairings | Status | Allow, Field(discriminator="do")]


class Opened(_Message):
    event: Literal["opened"] = "opened"
    code: str = Field(repr=False)
    for_s: int


class Ask(_Message):
    """May the extension with this origin, which Limen does not know, be paired?"""

    event: Literal["ask"] = "ask"
    origin: str


class PairingLine(_Message):
    """A pairing without its keys."""

    event: Literal["pairing"] = "pairing"
    kid: str
    origin: str
    label: str
    created_ms: int
    last_seen_ms: int | None

    @classmethod
    def of(cls, entry: Entry) -> PairingLine:
        return cls(
            kid=entry.kid,
            origin=entry.origin,
            label=entry.label,
            created_ms=entry.created_ms,
            last_seen_ms=entry.last_seen_ms,
        )


class StatusLine(_Message):
    """`detector`: its id and device in words, None when none is loaded. `profile`: on, locked, off or paused.
    `in_file`: how many pairings have their keys unencrypted; `locked`: how many, where they cannot be read.
    """

    event: Literal["status"] = "status"
    version: str
    authority: str
    detector: str | None
    profile: str
    browsers: int
    in_file: int
    locked: int


class Closed(_Message):
    """The window is shut without a pairing, or the list is at its end."""

    event: Literal["closed"] = "closed"


class Removed(_Message):
    event: Literal["removed"] = "removed"
    count: int


Event = Annotated[Opened | Ask | PairingLine | StatusLine | Closed | Removed, Field(discriminator="event")]

REQUEST: TypeAdapter[Pair | Unpair | ListPairings | Status | Allow] = TypeAdapter(Request)
EVENT: TypeAdapter[Opened | Ask | PairingLine | StatusLine | Closed | Removed] = TypeAdapter(Event)


def line(message: BaseModel) -> bytes:
    return message.model_dump_json().encode() + b"\n"
