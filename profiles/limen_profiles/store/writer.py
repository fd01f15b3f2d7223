"""The one thread that uses the database connection. Everyone else hands it functions.

Every function runs in a transaction: committed when it returns, rolled back when it raises. `call` comes
back after the commit, so what it acknowledges is on disk.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlcipher3 import dbapi2  # type: ignore[import-untyped]
from sqlmodel import Session

from limen_profiles.errors import StoreClosed, StoreDamaged, WrongKey
from limen_profiles.store.engine import fault_of

T = TypeVar("T")
Job = Callable[[Session], T]
Queued = tuple[Callable[[Engine], Any], Future[Any]]


class Writer:
    """Owns the engine from start to close. `open_engine` runs in the writer's thread.

    `close()` finishes what is queued and is idempotent; a use after it raises `StoreClosed`.
    """

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        """Blocking. Raises what `open_engine` raises; then there is no thread left."""
        self._jobs: queue.SimpleQueue[Queued | None] = queue.SimpleQueue()
        self._gate = threading.Lock()  # invariant: nothing is queued behind the closing sentinel
        self._is_closed = False
        opened: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(open_engine, opened), name="limen-profile", daemon=True
        )
        self._thread.start()
        try:
            opened.result()
        except BaseException:
            self._is_closed = True
            self._thread.join()
            raise

    def call(self, job: Job[T]) -> T:
        """Run `job` in a transaction and wait for it. Raises: StoreClosed, StoreError, what `job` raises."""
        return self.submit(job).result()

    def submit(self, job: Job[T]) -> Future[T]:
        """Queue `job`; its future is resolved after the commit."""

        def in_transaction(engine: Engine) -> T:
            with Session(engine, expire_on_commit=False) as session:
                result = job(session)
                session.commit()
                return result

        return self._queue(in_transaction)

    def call_with_engine(self, action: Callable[[Engine], T]) -> T:
        """Run `action` in the writer's thread outside any transaction (checkpoints, rekeying)."""
        return self._queue(action).result()

    @property
    def is_open(self) -> bool:
        return not self._is_closed

    def close(self) -> None:
        with self._gate:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _queue(self, action: Callable[[Engine], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._gate:
            if self._is_closed:
                raise StoreClosed
            self._jobs.put((action, future))
        return future

    def _run(self, open_engine: Callable[[], Engine], opened: Future[None]) -> None:
        try:
            engine = open_engine()
        except BaseException as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        try:
            while (entry := self._jobs.get()) is not None:
                action, future = entry
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(action(engine))
                except (DBAPIError, dbapi2.Error) as error:
                    fault = fault_of(getattr(error, "orig", None) or error)
                    # The file was open under this key a moment ago: it is not the key that is wrong.
                    future.set_exception(StoreDamaged() if isinstance(fault, WrongKey) else fault)
                except BaseException as error:
                    future.set_exception(error)
        finally:
            engine.dispose()
