"""The profile's settings: one table row for each that was changed, as JSON."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import Field, ValidationError
from sqlmodel import Session, select

from limen_profiles.records import Caution, Record, TimeMs
from limen_profiles.store.tables import SettingRow

DAY_MS = 86_400_000


class Settings(Record):
    """What the user can set about the profile. Each field has its help in its description."""

    caution: Caution = Field(
        default="balanced",
        description="How sure Limen must be before it stops marking a kind of thing you usually keep.",
    )
    learn_from_sent: bool = Field(
        default=True,
        description="Whether a marked phrase left in a message you send counts as a weak yes.",
    )
    retention_days: Annotated[int, Field(ge=1, le=3650)] | None = Field(
        default=365, description="After how many days a decision is deleted; null keeps it."
    )
    half_life_days: Annotated[int, Field(ge=7, le=3650)] | None = Field(
        default=180, description="After how many days a decision counts half; null never fades."
    )
    placeholder_days: Annotated[int, Field(ge=1, le=365)] = Field(
        default=30, description="After how many days what a placeholder stands for is forgotten."
    )
    paused_until: TimeMs | None = Field(
        default=None, description="Until when nothing is recorded (milliseconds since 1970, UTC)."
    )


class SettingsChange(Record):
    """The settings to change; a field that is not given stays as it is."""

    caution: Caution | None = None
    learn_from_sent: bool | None = None
    retention_days: Annotated[int, Field(ge=1, le=3650)] | None = None
    half_life_days: Annotated[int, Field(ge=7, le=3650)] | None = None
    placeholder_days: Annotated[int, Field(ge=1, le=365)] | None = None

    def applied_to(self, settings: Settings) -> Settings:
        """None is a value of its own for `retention_days` and `half_life_days`, else "not given"."""
        given = self.model_dump(include=self.model_fields_set)
        nullable = {"retention_days", "half_life_days"}
        return settings.model_copy(update={k: v for k, v in given.items() if v is not None or k in nullable})


def load_settings(session: Session) -> Settings:
    """The settings stored, with the default for any that this version cannot read."""
    settings = Settings()
    for row in session.exec(select(SettingRow)).all():
        if row.name not in Settings.model_fields:
            continue
        try:
            settings = Settings.model_validate({**settings.model_dump(), row.name: json.loads(row.value)})
        except (ValidationError, json.JSONDecodeError):
            continue
    return settings


def store_settings(session: Session, settings: Settings) -> None:
    for name, value in settings.model_dump(mode="json").items():
        session.merge(SettingRow(name=name, value=json.dumps(value)))
