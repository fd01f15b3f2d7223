"""The two steps of pairing a browser. Open only while `limen pair` waits for it."""

from __future__ import annotations

from aiohttp import web
from aiohttp.hdrs import USER_AGENT

from limen_daemon.errors import PairingError
from limen_daemon.keys import IDENTITY, PAIRING
from limen_daemon.pairing.encoding import decode, encode
from limen_daemon.pairing.labels import label_for
from limen_daemon.routes.table import Route
from limen_daemon.wire.models import answer, read_model
from limen_daemon.wire.pair import FinishAnswer, FinishRequest, HelloAnswer, HelloRequest

BRANDS = "Sec-CH-UA"


async def hello(request: web.Request) -> web.Response:
    service, origin = request.app[PAIRING], request[IDENTITY].origin
    asked = read_model(request, HelloRequest)
    said = service.hello(origin, _bytes(asked.pub), _bytes(asked.nonce))
    return answer(HelloAnswer(pub=encode(said.daemon_point), nonce=encode(said.daemon_nonce)))


async def finish(request: web.Request) -> web.Response:
    service, origin = request.app[PAIRING], request[IDENTITY].origin
    asked = read_model(request, FinishRequest)
    label = label_for(request.headers.get(USER_AGENT, ""), request.headers.get(BRANDS, ""))
    paired = await service.finish(origin, _bytes(asked.nonce), _bytes(asked.mac), label=label)
    return answer(FinishAnswer(kid=paired.pairing.kid, mac=encode(paired.proof)))


def _bytes(text: str) -> bytes:
    data = decode(text)
    if data is None:
        raise PairingError("not base64url")
    return data


ROUTES = (Route("/v1/pair/hello", hello), Route("/v1/pair/finish", finish))
