"""What a detector returns: a finding is one phrase that discloses something, with what it tells."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Category(StrEnum):
    """What kind of thing a phrase discloses. The 26 categories of `quantize/corpus/GUIDE.md`."""

    NAME = "name"
    CONTACT = "contact"
    ADDRESS = "address"
    LOCATION = "location"
    IDENTIFIER = "identifier"
    CREDENTIAL = "credential"
    AGE = "age"
    DEMOGRAPHIC = "demographic"
    HEALTH = "health"
    MENTAL_HEALTH = "mental_health"
    RELATIONSHIP = "relationship"
    OCCUPATION = "occupation"
    EMPLOYER = "employer"
    BUSINESS = "business"
    EDUCATION = "education"
    SKILL = "skill"
    FINANCE = "finance"
    LEGAL = "legal"
    BELIEF = "belief"
    OPINION = "opinion"
    PREFERENCE = "preference"
    ACTIVITY = "activity"
    INTENTION = "intention"
    HABIT = "habit"
    POSSESSION = "possession"
    EMOTION = "emotion"


class Subject(StrEnum):
    """Whose it is: the user's, or that of someone or something related to the user."""

    USER = "user"
    RELATED = "related"


Level = Annotated[int, Field(ge=1, le=3)]
Tier = Literal["disclosure", "secret", "others"]
Source = Literal["model", "pattern"]


class Finding(BaseModel):
    """One disclosing phrase. Offsets are `[start, end)` in Unicode code points of the checked text.

    `granularity` (1 general, 2 some detail, 3 fine) and `identifiability` (1 none, 2 quasi-identifier,
    3 direct identifier) are CIDER's two axes (Guo et al. 2026, section 3).
    `tier`: "disclosure" is about the user or someone close; "secret" is a credential or an identifier
    with a check digit; "others" is an identifier with no tie to the user.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    start: int = Field(ge=0)
    end: int = Field(ge=1)
    phrase: str = Field(min_length=1)
    category: Category
    subject: Subject
    granularity: Level
    identifiability: Level
    score: float = Field(ge=0, le=1)
    information: str
    tier: Tier = "disclosure"
    source: Source = "model"

    @model_validator(mode="after")
    def _offsets_cover_the_phrase(self) -> Self:
        if self.end - self.start != len(self.phrase):
            raise ValueError("end - start must equal the phrase's length in code points")
        return self
