"""The gate around the application's handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from aiohttp import web
from aiohttp.hdrs import ORIGIN

from limen_daemon import journal
from limen_daemon.gate.protocol import FIXED_HEADERS, GateProtocol
from limen_daemon.gate.refusals import JSON_TYPE, cors_headers, error_body
from limen_daemon.gate.rules import RULES, Policy, Refusal, Rule, method, origin
from limen_daemon.middleware.errors import answer_for

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Max-Age": "600",
}


class Gate:
    """Refuses on headers alone, then lets the request in to `inner`.

    It wraps the server's handler and is not a middleware, because aiohttp answers `Expect` before any
    middleware runs. `rules` is `RULES` everywhere but in tests that show what a rule is good for.
    """

    def __init__(self, inner: Handler, policy: Policy, *, rules: Sequence[Rule] = RULES) -> None:
        self._inner = inner
        self._policy = policy
        self._rules = tuple(rules)
        self._origin_at = self._rules.index(origin) if origin in self._rules else -1

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        for position, rule in enumerate(self._rules):
            if rule is method and request.method == "OPTIONS":
                return self._finish(web.Response(status=204, headers=PREFLIGHT_HEADERS), request)
            refusal = rule(request, self._policy)
            if refusal is not None:
                return self._refuse(request, refusal, is_origin_known=position > self._origin_at)
        protocol = request.protocol
        if isinstance(protocol, GateProtocol):
            protocol.is_known = True
        try:
            response = await self._inner(request)
        except Exception as error:  # what the application's own error middleware did not see
            response = answer_for(error)
        return self._finish(response, request)

    def _refuse(
        self, request: web.BaseRequest, refusal: Refusal, *, is_origin_known: bool
    ) -> web.StreamResponse:
        """Before the origin is accepted nobody learns why. The body is never read: the connection closes."""
        journal.event(journal.Event.REFUSED, status=refusal.status)
        response = web.Response(status=refusal.status, headers=refusal.headers)
        if is_origin_known:
            response.body = error_body(refusal.code)
            response.content_type = JSON_TYPE
        response.force_close()
        return self._finish(response, request, is_origin_known=is_origin_known)

    @staticmethod
    def _finish(
        response: web.StreamResponse, request: web.BaseRequest, *, is_origin_known: bool = True
    ) -> web.StreamResponse:
        response.headers.update(FIXED_HEADERS)
        if not request.content.is_eof():  # what is left of the body would be read as the next request
            response.force_close()
        given = request.headers.getall(ORIGIN, [])
        if is_origin_known and len(given) == 1:
            response.headers.update(cors_headers(given[0]))
        return response
