"""The daemon's settings: one frozen object, built once from the environment and passed down."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from limen_daemon.errors import ConfigError

PREFIX = "LIMEN_"
DEFAULT_PORT = 15463
READ_ELSEWHERE = frozenset({"LIMEN_DATA", "LIMEN_CHROMIUM", "LIMEN_FIREFOX"})
"""Names that other parts of Limen read; any further `LIMEN_` name is a mistake."""


class Settings(BaseModel):
    """Each field is read from `LIMEN_<FIELD>`. `docs/settings.md` has one line for each."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    host: str = Field("127.0.0.1", description="Address to listen on. Only 127.0.0.1 is allowed.")
    port: int = Field(
        DEFAULT_PORT,
        ge=1,
        le=65535,
        description="Port to listen on. The extension must be told about another one.",
    )
    state_dir: Path = Field(
        default_factory=lambda: platformdirs.user_state_path("limen"),
        description="Folder of the pairings and the log. Only its owner may enter it.",
    )
    profile_dir: Path | None = Field(
        None, description="Folder of the profile; unset: the usual one. Only its owner may enter it."
    )
    model: str | None = Field(None, description="Name of the detector; unset: the one shipped with Limen.")
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="Where the detector runs.")
    threads: int = Field(1, ge=1, le=64, description="Processor threads the detector may use.")
    queue_size: int = Field(8, ge=1, le=64, description="Texts that may wait before the answer is `busy`.")
    detect_deadline_s: float = Field(
        5.0, gt=0, le=60, description="Seconds a text may take before it is `not checked`."
    )
    rate_per_s: float = Field(
        20.0, gt=0, le=1000, description="Calls a second one browser may make for long."
    )
    rate_burst: int = Field(40, ge=1, le=1000, description="Calls one browser may make at once.")
    max_connections: int = Field(
        64, ge=4, le=1024, description="Open connections before the oldest unknown one is closed."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "WARNING", description="How much the log tells. It never holds text, at any level."
    )

    @field_validator("host")
    @classmethod
    def _loopback_only(cls, host: str) -> str:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            raise ValueError("it must be the address 127.0.0.1, not a name") from None
        if address != ipaddress.ip_address("127.0.0.1"):
            raise ValueError("Limen listens on 127.0.0.1 and on no other address")
        return host

    @property
    def authority(self) -> str:
        """The only `Host` header that is served."""
        return f"{self.host}:{self.port}"


def load_settings(environ: Mapping[str, str]) -> Settings:
    """Build the settings from `environ`.

    Raises: `ConfigError`, naming the variable and what to do, but never showing its value.
    """
    known = {PREFIX + name.upper(): name for name in Settings.model_fields}
    given = {name for name in environ if name.startswith(PREFIX)}
    unknown = sorted(given - known.keys() - READ_ELSEWHERE)
    if unknown:
        names = ", ".join(sorted(known))
        raise ConfigError(
            f"the environment sets {', '.join(unknown)}, which Limen does not know. It knows {names}."
        )
    try:
        return Settings.model_validate({known[name]: environ[name] for name in given & known.keys()})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        variable = PREFIX + str(first["loc"][0]).upper()
        reason = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{variable} cannot be used: {reason}.") from None
