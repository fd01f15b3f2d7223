"""The one place that turns an error into an answer: `{"error": code}` and a status, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web
from aiohttp.typedefs import Handler

from limen_daemon import journal
from limen_daemon.errors import CodeWrong, LimenError

_HTTP_CODES: Mapping[int, str] = {404: "not_found", 405: "method", 413: "size"}


@web.middleware
async def errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Known errors by their code; anything else is `internal`, and only its class goes to the log."""
    try:
        return await handler(request)
    except Exception as error:
        return answer_for(error)


def answer_for(error: Exception) -> web.Response:
    """The answer for an error that a handler raised. Errors with `code` and `status` need not be ours:
    the profile package has its own root with the same two attributes."""
    if isinstance(error, web.HTTPException):
        return error_answer(error.status, _HTTP_CODES.get(error.status, "http"))
    code, status = getattr(error, "code", None), getattr(error, "status", None)
    if isinstance(code, str) and isinstance(status, int) and 400 <= status < 600:
        journal.event(journal.Event.REFUSED, status=status, fault=type(error))
        return error_answer(status, code, left=error.left if isinstance(error, CodeWrong) else None)
    if isinstance(error, LimenError):
        return error_answer(error.status, error.code)
    journal.fault(error)
    return error_answer(500, "internal")


def error_answer(status: int, code: str, *, left: int | None = None) -> web.Response:
    return web.json_response(
        {"error": code} if left is None else {"error": code, "left": left}, status=status
    )
