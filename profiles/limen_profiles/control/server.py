"""The daemon's end of the channel: a thread that answers one caller after another."""

from __future__ import annotations

import contextlib
import secrets
import threading
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from pydantic import BaseModel, ValidationError

from limen_profiles.control.channel import (
    Answer,
    Question,
    Refusal,
    address,
    admit,
    dial,
    parse,
    receive,
    send,
)
from limen_profiles.control.operations import OPERATIONS
from limen_profiles.errors import InvalidRequest, ProfileError, StoreBusy
from limen_profiles.paths import ProfilePaths
from limen_profiles.private_files import make_private_folder, replace_private
from limen_profiles.service import ProfileService

QUESTION_TIMEOUT_S = 10.0
MAX_CALLERS = 8


class ControlServer:
    """Serves until `close()`, which is idempotent. The service is the caller's to close.

    One thread accepts; each caller then has a thread of its own, so that one that says nothing holds up
    nobody. More than `MAX_CALLERS` at once are turned away.
    """

    def __init__(self, service: ProfileService) -> None:
        """Raises: StoreBusy when another daemon serves this profile."""
        self._service = service
        self._closing = threading.Event()
        self._callers = threading.BoundedSemaphore(MAX_CALLERS)
        self._key = secrets.token_bytes(32)
        self._listener: Listener | None = None
        paths = service.paths
        make_private_folder(paths.folder)
        where = address(paths)
        if where is None:
            return
        if is_served(paths):
            raise StoreBusy("Another Limen daemon already holds this profile. Stop it first.")
        with contextlib.suppress(OSError):
            paths.control_socket.unlink()
        replace_private(paths.control_key, self._key)
        self._address = where
        self._listener = Listener(*where)
        self._thread = threading.Thread(target=self._accept, name="limen-control", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._listener is None or self._closing.is_set():
            return
        self._closing.set()
        with contextlib.suppress(OSError):
            Client(*self._address).close()  # wakes `accept`
        self._thread.join()
        self._listener.close()
        self._service.paths.control_key.unlink(missing_ok=True)

    def _accept(self) -> None:
        assert self._listener is not None
        while not self._closing.is_set():
            try:
                connection = self._listener.accept()
            except OSError:
                continue  # the caller went away
            if self._closing.is_set() or not self._callers.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(
                target=self._converse, args=(connection,), name="limen-control-caller", daemon=True
            ).start()

    def _converse(self, connection: Connection[Any, Any]) -> None:
        # A caller without the key, one that falls silent or one that goes away needs no answer.
        try:
            with connection, contextlib.suppress(OSError, EOFError):
                admit(connection, self._key)
                self._answer(connection)
        finally:
            self._callers.release()

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


def is_served(paths: ProfilePaths) -> bool:
    """Whether a daemon that lives serves this profile."""
    try:
        connection = dial(paths)
    except (OSError, EOFError):
        return False
    if connection is None:
        return False
    connection.close()
    return True
