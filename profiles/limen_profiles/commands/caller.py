"""How a subcommand reaches the profile: through the daemon when it runs, else by opening it itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import click
from pydantic import BaseModel, SecretStr

from limen_profiles.control import client
from limen_profiles.control.operations import Nothing, UnlockRequest
from limen_profiles.errors import ProfileLocked, WeakPassphrase
from limen_profiles.paths import ProfilePaths
from limen_profiles.sealing import MIN_PASSPHRASE_CHARACTERS
from limen_profiles.service import ProfileService, ProfileStatus

Result = TypeVar("Result", bound=BaseModel)


class Caller:
    """Runs operations for one command."""

    def __init__(self, service: ProfileService) -> None:
        self._service = service
        self.is_daemon_there = client.ask(service.paths, "status", Nothing(), ProfileStatus) is not None

    @property
    def paths(self) -> ProfilePaths:
        return self._service.paths

    def open(self) -> None:
        """Make sure the profile is open, asking for its passphrase where it has one.

        Raises: ProfileError, also for why it cannot be opened.
        """
        if not self.is_daemon_there:
            self._service.start()
        status = self.run("status", Nothing(), ProfileStatus)
        if status.mode == "locked":
            is_asked_for = status.holder == "passphrase" and status.problem == ProfileLocked.code
            passphrase = ask_passphrase() if is_asked_for else None
            self.run("unlock", UnlockRequest(passphrase=passphrase), ProfileStatus)

    def run(self, operation: str, request: BaseModel, answer: type[Result]) -> Result:
        """Blocking. Raises: ProfileError."""
        return client.run(self._service, operation, request, answer)


@contextmanager
def caller(context: click.Context) -> Iterator[Caller]:
    """The caller for this command; what it opened is closed at the end."""
    service = ProfileService(context.find_object(ProfilePaths))
    try:
        yield Caller(service)
    finally:
        service.close()


def ask_passphrase(prompt: str = "Passphrase") -> SecretStr:
    return SecretStr(click.prompt(prompt, hide_input=True, err=True))


def ask_new_passphrase(prompt: str = "New passphrase (at least 12 characters)") -> SecretStr:
    """Ask twice; one that is too short is refused at once, before it is typed again."""
    typed = click.prompt(prompt, hide_input=True, confirmation_prompt=True, err=True, value_proc=_long_enough)
    return SecretStr(typed)


def _long_enough(passphrase: str) -> str:
    if len(passphrase) < MIN_PASSPHRASE_CHARACTERS:
        raise click.BadParameter(WeakPassphrase.sentence)
    return passphrase
