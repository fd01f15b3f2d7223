"""Answers kept on disk by the hash of their request: after a kill, nothing is asked twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from limen_eval.llm.model import Answer, ChatRequest, LanguageModel
from limen_eval.records.journal import Journal, read_rows

Tag = TypeVar("Tag")


class AnswerBook:
    """One `answers.jsonl`. Equal requests that wait at the same time share one call."""

    def __init__(self, path: Path, model: LanguageModel) -> None:
        self._model = model
        self._known = {row["key"]: Answer.model_validate(row["answer"]) for row in read_rows(path)}
        self._journal = Journal(path)
        self._waiting: dict[str, asyncio.Future[Answer]] = {}

    async def ask(self, request: ChatRequest) -> Answer:
        """The known answer, or the model's, which is on disk before it is returned."""
        key = request.key
        if key in self._known:
            return self._known[key]
        if key in self._waiting:
            return await asyncio.shield(self._waiting[key])
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[key] = future
        try:
            answer = await self._model.complete(request)
        except BaseException as error:
            if not future.cancelled():
                future.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
                future.exception()  # Marked as seen: this call raises it itself.
            raise
        finally:
            del self._waiting[key]
        self._journal.append({"key": key, "answer": answer.model_dump(exclude_none=True)})
        self._known[key] = answer
        future.set_result(answer)
        return answer

    def close(self) -> None:
        """Close the file; the model stays open. Idempotent."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _End:
    pass


class Answers(Generic[Tag]):
    """Asks many requests, at most `concurrency` at a time, and yields each answer as it comes."""

    def __init__(self, book: AnswerBook, *, concurrency: int) -> None:
        self._book = book
        self._concurrency = concurrency

    async def stream(self, jobs: Iterable[tuple[Tag, ChatRequest]]) -> AsyncIterator[tuple[Tag, Answer]]:
        """Yield `(tag, answer)` as they complete. The first error stops all workers and is raised."""
        remaining: Iterator[tuple[Tag, ChatRequest]] = iter(jobs)
        done: asyncio.Queue[tuple[Tag, Answer] | Exception | _End] = asyncio.Queue()

        async def work() -> None:
            try:
                for tag, request in remaining:
                    done.put_nowait((tag, await self._book.ask(request)))
            except Exception as error:  # Handed over to the caller below.
                done.put_nowait(error)
            finally:
                done.put_nowait(_End())

        workers = [asyncio.create_task(work()) for _ in range(self._concurrency)]
        n_running = len(workers)
        try:
            while n_running:
                entry = await done.get()
                if isinstance(entry, _End):
                    n_running -= 1
                elif isinstance(entry, Exception):
                    raise entry
                else:
                    yield entry
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
