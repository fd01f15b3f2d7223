"""The address of the channel and the form of its messages: one JSON question, one JSON answer."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from limen_profiles.errors import InvalidRequest
from limen_profiles.paths import ProfilePaths

MAX_MESSAGE_BYTES = 256 << 20
"""An export of a hundred thousand decisions is about 40 MB."""
MAX_SOCKET_PATH_BYTES = 100
PROOF_TIMEOUT_S = 10.0
NONCE_BYTES = 32
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


def dial(paths: ProfilePaths) -> Connection[Any, Any] | None:
    """A connection to the daemon that serves this profile, both ends proven; None where none does.

    What a killed daemon left behind is no daemon. Raises: TimeoutError from one that does not answer.
    """
    where, key = address(paths), read_key(paths.control_key)
    if where is None or key is None:
        return None
    try:
        connection = Client(*where)
    except OSError:
        return None
    try:
        theirs = receive(connection, timeout_s=PROOF_TIMEOUT_S)
        ours = secrets.token_bytes(NONCE_BYTES)
        connection.send_bytes(ours + _proof(key, b"caller", theirs, ours))
        shown = receive(connection, timeout_s=PROOF_TIMEOUT_S)
        if not hmac.compare_digest(shown, _proof(key, b"daemon", theirs, ours)):
            raise ConnectionError
    except (EOFError, ConnectionError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


def admit(connection: Connection[Any, Any], key: bytes) -> None:
    """The daemon's side of `dial`. Raises: EOFError, OSError (ConnectionError: it has not the key)."""
    ours = secrets.token_bytes(NONCE_BYTES)
    connection.send_bytes(ours)
    shown = receive(connection, timeout_s=PROOF_TIMEOUT_S)
    theirs, proof = shown[:NONCE_BYTES], shown[NONCE_BYTES:]
    if not hmac.compare_digest(proof, _proof(key, b"caller", ours, theirs)):
        raise ConnectionError
    connection.send_bytes(_proof(key, b"daemon", ours, theirs))


def _proof(key: bytes, role: bytes, daemon_nonce: bytes, caller_nonce: bytes) -> bytes:
    return hmac.digest(key, b"limen control|" + role + b"|" + daemon_nonce + caller_nonce, hashlib.sha256)


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
