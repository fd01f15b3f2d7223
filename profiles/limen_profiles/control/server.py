"""The daemon's end of the channel: a thread that answers one caller after another."""

from __future__ import annotations

import contextlib
import secrets
import threading
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from pydantic import BaseModel, ValidationError

from limen_profiles.control.channel import (
    Answer,
    Question,
    Refusal,
    address,
    parse,
    read_key,
    receive,
    send,
)
from limen_profiles.control.operations import OPERATIONS
from limen_profiles.errors import InvalidRequest, ProfileError, StoreBusy
from limen_profiles.private_files import make_private_folder, replace_private
from limen_profiles.service import ProfileService

QUESTION_TIMEOUT_S = 10.0


class ControlServer:
    """Serves until `close()`, which is idempotent. The service is the caller's to close."""

    def __init__(self, service: ProfileService) -> None:
        """Raises: StoreBusy when another daemon serves this profile."""
        self._service = service
        self._closing = threading.Event()
        self._key = secrets.token_bytes(32)
        paths = service.paths
        make_private_folder(paths.folder)
        where = address(paths)
        self._address = where
        self._listener: Listener | None = None
        if where is None:
            return
        if is_served(service):
            raise StoreBusy("Another Limen daemon already holds this profile. Stop it first.")
        with contextlib.suppress(OSError):
            paths.control_socket.unlink()
        replace_private(paths.control_key, self._key)
        self._listener = Listener(where[0], where[1], authkey=self._key)
        self._thread = threading.Thread(target=self._serve, name="limen-control", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._listener is None or self._closing.is_set():
            return
        self._closing.set()
        assert self._address is not None
        with contextlib.suppress(OSError, AuthenticationError, EOFError):
            Client(self._address[0], self._address[1], authkey=self._key).close()  # wakes `accept`
        self._thread.join()
        self._listener.close()
        self._service.paths.control_key.unlink(missing_ok=True)

    def _serve(self) -> None:
        assert self._listener is not None
        while not self._closing.is_set():
            try:
                connection = self._listener.accept()
            except (OSError, AuthenticationError, EOFError):
                continue  # a caller without the key, or one that went away
            with connection:
                if not self._closing.is_set():
                    with contextlib.suppress(OSError, EOFError):
                        self._answer(connection)

    def _answer(self, connection: Connection[Any, Any]) -> None:
        try:
            question: Question = parse(receive(connection, timeout_s=QUESTION_TIMEOUT_S), Question)
            reply: Answer | Refusal = Answer(body=self._run(question).model_dump(mode="json"))
        except ProfileError as error:
            reply = Refusal(error=error.code, sentence=str(error), exit_code=error.exit_code)
        except OSError:
            raise
        except Exception:  # the caller learns that it failed; what failed stays out of messages and logs
            reply = Refusal(error="internal", sentence="The daemon could not do this.", exit_code=1)
        send(connection, reply)

    def _run(self, question: Question) -> BaseModel:
        operation = OPERATIONS.get(question.operation)
        if operation is None:
            raise InvalidRequest
        try:
            request = operation.request.model_validate(question.body)
        except ValidationError:
            raise InvalidRequest from None
        return operation.run(self._service, request)


def is_served(service: ProfileService) -> bool:
    """Whether a daemon that lives answers for this profile."""
    where = address(service.paths)
    key = read_key(service.paths.control_key)
    if where is None or key is None:
        return False
    try:
        Client(where[0], where[1], authkey=key).close()
    except (OSError, AuthenticationError, EOFError):
        return False
    return True
