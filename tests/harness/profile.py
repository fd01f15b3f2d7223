"""What the profile's tests build: keyrings that behave, keyrings that do not, services, decisions."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keyring.backend import KeyringBackend
from keyring.compat import properties
from keyring.errors import KeyringLocked, PasswordDeleteError

from limen_profiles import DecisionIn, Exposure, ProfilePaths, ProfileService

DAY_MS = 86_400_000
NOW_MS = 1_790_000_000_000
"""September 2026."""


class DictKeyring(KeyringBackend):
    """A keyring of the operating system, as far as the profile can tell: items in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.items: dict[tuple[str, str], str] = {}

    @properties.classproperty
    def priority(cls) -> float:
        return 1

    def get_password(self, service: str, username: str) -> str | None:
        return self.items.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.items[(service, username)] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.items.pop((service, username), None) is None:
            raise PasswordDeleteError("no such item")


class LockedKeyring(DictKeyring):
    """The user closed the keyring's prompt."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("Prompt dismissed")

    set_password = get_password  # type: ignore[assignment]
    delete_password = get_password  # type: ignore[assignment]


class ForgetfulKeyring(DictKeyring):
    """Says it kept what it was given, and did not."""

    def set_password(self, service: str, username: str, password: str) -> None:
        return None


class HangingKeyring(DictKeyring):
    """Shows a prompt nobody answers; `release` lets its thread end."""

    def __init__(self) -> None:
        super().__init__()
        self.release = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.release.wait()
        return None


@dataclass
class Clock:
    """Milliseconds, moved by hand."""

    at_ms: int = NOW_MS

    def __call__(self) -> int:
        return self.at_ms

    def pass_days(self, days: float) -> None:
        self.at_ms += int(days * DAY_MS)


@dataclass
class Box:
    """A folder for one profile, its keyring and its clock; `service()` is a process's worth of profile."""

    folder: Path
    keyring: DictKeyring = field(default_factory=DictKeyring)
    clock: Clock = field(default_factory=Clock)
    opened: list[ProfileService] = field(default_factory=list)

    @property
    def paths(self) -> ProfilePaths:
        return ProfilePaths(self.folder / "profile")

    @property
    def key_file(self) -> Path:
        return self.folder / "elsewhere" / "profile.key"

    def service(self) -> ProfileService:
        service = ProfileService(self.paths, keyring=lambda: self.keyring, clock_ms=self.clock)
        self.opened.append(service)
        return service

    def started(self) -> ProfileService:
        """A service with an open profile, started the first time and opened after."""
        service = self.service()
        if service.start().mode == "off":
            service.init("keyring")
        return service

    def close(self) -> None:
        for service in self.opened:
            service.close()

    def database_bytes(self) -> bytes:
        return b"".join(path.read_bytes() for path in self.paths.database_files() if path.exists())


def make_exposure(phrase: str = "type 2 diabetes", **changes: Any) -> Exposure:
    fields: dict[str, Any] = {
        "phrase": phrase,
        "information": f"The user has {phrase}.",
        "category": "health",
        "subject": "user",
        "granularity": 2,
        "identifiability": 1,
    }
    return Exposure(**{**fields, **changes})


def make_decision(decision: str = "kept", phrase: str = "type 2 diabetes", **changes: Any) -> DecisionIn:
    fields: dict[str, Any] = {
        **make_exposure(phrase).model_dump(),
        "decision": decision,
        "site": "chatgpt.com",
        "detector": "limen-e5-small",
    }
    return DecisionIn(**{**fields, **changes})
