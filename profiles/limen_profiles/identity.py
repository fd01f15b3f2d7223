"""Which profile lies in a folder and who holds its key. Nothing in it is secret.

`key_checks` tells a wrong key from a damaged file: it names the keys that fit, as a keyed hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from limen_profiles.errors import StoreDamaged, StoreTooNew
from limen_profiles.keys import HolderKind
from limen_profiles.private_files import replace_private

CHECK_LABEL = b"limen profile key check"


class Identity(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    format: Literal[1] = 1
    profile_id: str = Field(pattern=r"^[0-9a-f]{32}$")
    holder: HolderKind
    key_file: Path | None = None
    key_checks: tuple[str, ...] = ()

    @classmethod
    def new(cls, holder: HolderKind, key_file: Path | None = None) -> Self:
        return cls(profile_id=secrets.token_hex(16), holder=holder, key_file=key_file)

    def with_keys(self, *keys: bytes) -> Self:
        return self.model_copy(update={"key_checks": tuple(key_check(key) for key in keys)})

    def knows(self, key: bytes) -> bool:
        return key_check(key) in self.key_checks

    def write(self, path: Path) -> None:
        replace_private(path, self.model_dump_json(indent=1).encode() + b"\n")


def read_identity(path: Path) -> Identity | None:
    """The identity at `path`, None when there is none. Raises: StoreDamaged, StoreTooNew."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return Identity.model_validate_json(content)
    except ValidationError as error:
        if any(problem["loc"] == ("format",) for problem in error.errors(include_input=False)):
            raise StoreTooNew from None
        raise StoreDamaged("The profile's identity file cannot be read. Nothing was changed.") from None


def key_check(key: bytes) -> str:
    return hmac.digest(key, CHECK_LABEL, hashlib.sha256)[:8].hex()
