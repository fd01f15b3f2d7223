"""The HTTP API: one file per resource, each with its `ROUTES`, gathered here into one table."""

from __future__ import annotations

from limen_daemon.routes import detect, pair, status
from limen_daemon.routes.table import Route

ROUTES: tuple[Route, ...] = (
    *status.ROUTES,
    *detect.ROUTES,
    *pair.ROUTES,
)

__all__ = ["ROUTES", "Route"]
