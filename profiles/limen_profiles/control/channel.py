"""The address of the channel and the form of its messages: one JSON question, one JSON answer."""

from __future__ import annotations

import hashlib
import os
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from limen_profiles.errors import InvalidRequest
from limen_profiles.paths import ProfilePaths

MAX_MESSAGE_BYTES = 256 << 20
"""An export of a hundred thousand decisions is about 40 MB."""
MAX_SOCKET_PATH_BYTES = 100
Family = Literal["AF_UNIX", "AF_PIPE"]


class Message(BaseModel):
    """`body` is the JSON of the operation's own model, with its secrets in clear: on this channel only."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Question(Message):
    operation: str
    body: dict[str, Any]


class Answer(Message):
    body: dict[str, Any]


class Refusal(Message):
    """The error as the other end raised it."""

    error: str
    sentence: str
    exit_code: int


def address(paths: ProfilePaths) -> tuple[str, Family] | None:
    """Where the channel is, or None where the folder's path is too long for a Unix socket."""
    if sys.platform == "win32":
        digest = hashlib.sha256(str(paths.folder.resolve()).encode()).hexdigest()[:32]
        return rf"\\.\pipe\limen-profile-{digest}", "AF_PIPE"
    path = paths.control_socket
    return (str(path), "AF_UNIX") if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES else None


def send(connection: Connection[Any, Any], message: Message) -> None:
    connection.send_bytes(message.model_dump_json().encode())


def receive(connection: Connection[Any, Any], *, timeout_s: float) -> bytes:
    """One message. Raises: TimeoutError, EOFError, OSError (too large, or the other end went away)."""
    if not connection.poll(timeout_s):
        raise TimeoutError
    return connection.recv_bytes(MAX_MESSAGE_BYTES)


def parse(raw: bytes, model: type[Message]) -> Any:
    """Raises: InvalidRequest."""
    try:
        return model.model_validate_json(raw)
    except ValidationError:
        raise InvalidRequest from None


def read_key(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
