"""Asking an endpoint: retries, concurrency, and answers that are never asked for twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from limen_eval.errors import EndpointError
from limen_eval.llm.answers import AnswerBook, Answers
from limen_eval.llm.endpoint import Endpoint
from limen_eval.llm.model import Answer, ChatRequest

Start = Callable[[Callable[[str], str]], Awaitable[Any]]


def ask(user: str) -> ChatRequest:
    return ChatRequest(model="m", system="s", user=user)


def make_endpoint(url: str, pauses: list[float] | None = None) -> Endpoint:
    async def pause(seconds: float) -> None:
        if pauses is not None:
            pauses.append(seconds)

    return Endpoint(url, "m", pause=pause)


async def collect(book: AnswerBook, users: list[str], concurrency: int) -> dict[str, str]:
    stream = Answers[str](book, concurrency=concurrency).stream((user, ask(user)) for user in users)
    return {tag: answer.text async for tag, answer in stream}


async def test_answer_carries_text_and_token_counts(scripted_server: Start) -> None:
    server = await scripted_server(str.upper)
    endpoint = make_endpoint(server.url)
    answer = await endpoint.complete(ask("chess"))
    await endpoint.close()
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens, answer.error) == (
        "CHESS",
        5,
        3,
        None,
    )


async def test_requests_run_at_once_up_to_the_limit_and_no_further(
    scripted_server: Start, tmp_path: Path
) -> None:
    server = await scripted_server(str.upper)
    server.hold_from, server.n_to_hold = 1, 4
    endpoint = make_endpoint(server.url)
    with AnswerBook(tmp_path / "answers.jsonl", endpoint) as book:
        running = asyncio.create_task(collect(book, [f"u{n}" for n in range(20)], 4))
        await server.holding.wait()
        server.released.set()
        answers = await running
    await endpoint.close()
    assert server.most_at_once == 4
    assert answers == {f"u{n}": f"U{n}" for n in range(20)}


async def test_equal_requests_are_asked_once_even_at_the_same_time(
    scripted_server: Start, tmp_path: Path
) -> None:
    server = await scripted_server(str.upper)
    endpoint = make_endpoint(server.url)
    with AnswerBook(tmp_path / "answers.jsonl", endpoint) as book:
        texts = await asyncio.gather(*(book.ask(ask("same")) for _ in range(10)))
    await endpoint.close()
    assert {answer.text for answer in texts} == {"SAME"}
    assert server.asked.total() == 1


async def test_answers_of_an_earlier_run_are_not_asked_again(scripted_server: Start, tmp_path: Path) -> None:
    server = await scripted_server(str.upper)
    for _ in range(2):
        endpoint = make_endpoint(server.url)
        with AnswerBook(tmp_path / "answers.jsonl", endpoint) as book:
            assert await collect(book, ["a", "b"], 2) == {"a": "A", "b": "B"}
        await endpoint.close()
    assert server.asked == {"a": 1, "b": 1}


async def test_busy_server_is_asked_again_after_growing_pauses(scripted_server: Start) -> None:
    server = await scripted_server(str.upper)
    server.statuses = [503, 429]
    pauses: list[float] = []
    endpoint = make_endpoint(server.url, pauses)
    assert (await endpoint.complete(ask("a"))).text == "A"
    await endpoint.close()
    assert pauses == sorted(pauses)
    assert len(pauses) == 2


async def test_request_the_server_will_not_take_is_a_counted_failure(scripted_server: Start) -> None:
    server = await scripted_server(str.upper)
    server.statuses = [400]
    endpoint = make_endpoint(server.url)
    assert (await endpoint.complete(ask("a"))).error == "status 400"
    await endpoint.close()


@pytest.mark.parametrize("statuses", [[401], [404], [503] * 5])
async def test_server_that_refuses_this_client_stops_the_run(
    statuses: list[int], scripted_server: Start
) -> None:
    server = await scripted_server(str.upper)
    server.statuses = list(statuses)
    endpoint = make_endpoint(server.url)
    with pytest.raises(EndpointError) as stopped:
        await endpoint.complete(ask("a secret question"))
    await endpoint.close()
    assert "secret" not in str(stopped.value)


async def test_unreachable_server_is_a_clear_error(unused_tcp_port_factory: Callable[[], int]) -> None:
    endpoint = make_endpoint(f"http://127.0.0.1:{unused_tcp_port_factory()}")
    with pytest.raises(EndpointError, match="no answer after 5 attempts"):
        await endpoint.complete(ask("a"))
    await endpoint.close()


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://x", ""])
def test_endpoint_that_is_no_http_url_is_refused(url: str) -> None:
    with pytest.raises(EndpointError, match=r"http\(s\) URL"):
        Endpoint(url, "m")


async def test_an_error_stops_the_other_workers_and_what_was_answered_is_kept(tmp_path: Path) -> None:
    class Failing:
        id = "m"

        def describe(self) -> dict[str, Any]:
            return {}

        async def complete(self, request: ChatRequest) -> Answer:
            if request.user == "u3":
                raise EndpointError("gone")
            return Answer(text=request.user, elapsed_ms=1.0)

        async def close(self) -> None:
            return None

    path = tmp_path / "answers.jsonl"
    with AnswerBook(path, Failing()) as book, pytest.raises(EndpointError, match="gone"):
        await collect(book, [f"u{n}" for n in range(10)], 1)
    assert len(path.read_text().splitlines()) == 3
