"""The base of every request and answer on the wire, and how a handler reads and writes them."""

from __future__ import annotations

from typing import TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError

from limen_daemon.errors import SchemaError
from limen_daemon.keys import BODY
from limen_daemon.wire import strict_json


class WireModel(BaseModel):
    """Frozen, strict (no "3" for 3), no unknown fields, and errors that do not show the input."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class Nothing(WireModel):
    """The request of a route that takes nothing: `{}`."""


Model = TypeVar("Model", bound=BaseModel)


def read_model(request: web.Request, model: type[Model]) -> Model:
    """The request's body as `model`. The body middleware has already read, bounded and opened it.

    Raises: `NotJson`, `SchemaError`; neither holds anything of the body.
    """
    value = strict_json.loads(request[BODY])
    if not isinstance(value, dict):
        raise SchemaError("the body is not a JSON object")
    try:
        # Through JSON again: in strict mode only the JSON reader turns strings into enums and dates.
        return model.model_validate_json(request[BODY], strict=True)
    except ValidationError as error:
        raise SchemaError(f"the body does not fit this route ({error.error_count()} faults)") from None


def answer(model: BaseModel, *, status: int = 200) -> web.Response:
    """`model` as the JSON answer."""
    return web.Response(
        status=status,
        body=model.model_dump_json().encode(),
        content_type="application/json",
        charset="utf-8",
    )
