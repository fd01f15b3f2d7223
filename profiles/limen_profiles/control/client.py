"""A command's end: asks the daemon when one serves the profile, opens the profile itself otherwise."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, SecretStr

from limen_profiles.control.channel import Answer, Question, Refusal, dial, receive, send
from limen_profiles.control.operations import OPERATIONS
from limen_profiles.errors import InvalidRequest, ProfileError, StoreBusy
from limen_profiles.paths import ProfilePaths
from limen_profiles.service import ProfileService

ANSWER_TIMEOUT_S = 120.0
Result = TypeVar("Result", bound=BaseModel)


class RemoteError(ProfileError):
    """An error the daemon answered with, carrying its code, sentence and exit code."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.code = refusal.error
        self.exit_code = refusal.exit_code


def ask(paths: ProfilePaths, operation: str, request: BaseModel, answer: type[Result]) -> Result | None:
    """The daemon's answer, or None when none serves this profile.

    Blocking. Raises: RemoteError, StoreBusy when the daemon does not answer.
    """
    try:
        connection = dial(paths)
        if connection is None:
            return None
        with connection:
            send(connection, Question(operation=operation, body=in_clear(request)))
            raw = receive(connection, timeout_s=ANSWER_TIMEOUT_S)
    except (OSError, EOFError):
        raise StoreBusy from None
    return _read(raw, answer)


def run(service: ProfileService, operation: str, request: BaseModel, answer: type[Result]) -> Result:
    """Do one operation: by the daemon when it serves the profile, else by `service`.

    Blocking. Raises: ProfileError.
    """
    result = ask(service.paths, operation, request, answer)
    if result is not None:
        return result
    own = OPERATIONS[operation].run(service, request)
    if not isinstance(own, answer):
        raise TypeError(f"{operation} does not answer with {answer.__name__}")
    return own


def in_clear(request: BaseModel) -> dict[str, Any]:
    """The request as JSON values, with its secrets: only to be sent over the channel."""
    body = request.model_dump(mode="json", exclude_unset=True)
    for name in type(request).model_fields:
        value = getattr(request, name)
        if isinstance(value, SecretStr):
            body[name] = value.get_secret_value()
    return body


def _read(raw: bytes, answer: type[Result]) -> Result:
    for model in (Answer, Refusal):
        try:
            message = model.model_validate_json(raw)
        except ValueError:
            continue
        if isinstance(message, Refusal):
            raise RemoteError(message)
        return answer.model_validate(message.body)
    raise InvalidRequest
