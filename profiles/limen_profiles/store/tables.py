"""The rows of the database. Rules about their values are in `records.py`, which is checked on the way in."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class Meta(SQLModel, table=True):
    """Values of the database itself, such as the key of the phrase hashes."""

    name: str = Field(primary_key=True)
    value: bytes


class SettingRow(SQLModel, table=True):
    """One changed setting, its value as JSON. A setting that is not here has its default."""

    __tablename__ = "setting"

    name: str = Field(primary_key=True)
    value: str


class DecisionRow(SQLModel, table=True):
    """One choice about one phrase."""

    __tablename__ = "decision"

    id: int | None = Field(default=None, primary_key=True)
    decided_at_ms: int
    month: int
    """Year and month in UTC as 202611, so that the summary over time needs no date arithmetic."""
    decision: str
    phrase: str | None = None
    """The phrase, for accepted choices only."""
    phrase_hash: bytes | None = None
    """HMAC-SHA256 of the normalised phrase; None for a rejected phrase that came from another profile."""
    information: str | None = None
    """What the phrase tells, for accepted choices only: it quotes the phrase in other words."""
    category: str
    subject: str
    granularity: int
    identifiability: int
    to_granularity: int | None = None
    to_identifiability: int | None = None
    """Where a generalized phrase was brought to."""
    tier: str
    site: str
    recipient: str
    p_accept: float | None = None
    detector: str


class RuleRow(SQLModel, table=True):
    """Allow always or block always. For a blocked value `value` is its masked form."""

    __tablename__ = "rule"

    id: int | None = Field(default=None, primary_key=True)
    rule: str
    scope: str
    value: str
    value_hash: bytes
    created_at_ms: int


class PlaceholderRow(SQLModel, table=True):
    """What a placeholder in one conversation stands for, until it expires."""

    __tablename__ = "placeholder"

    conversation_hash: bytes = Field(primary_key=True)
    placeholder: str = Field(primary_key=True)
    value: str
    expires_at_ms: int


class CalibrationAnswerRow(SQLModel, table=True):
    """Whether the user would let one wording of one situation through."""

    __tablename__ = "calibration_answer"

    situation: str = Field(primary_key=True)
    wording: str = Field(primary_key=True)
    accepted: bool
    answered_at_ms: int
