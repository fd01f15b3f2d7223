"""The HTTP API: one file per resource, each with its `ROUTES`, gathered here into one table."""

from __future__ import annotations

from limen_daemon.routes import (
    detect,
    generalize,
    models,
    pair,
    pairings,
    profile_decisions,
    profile_keeping,
    profile_lists,
    profile_placeholders,
    profile_settings,
    standins,
    status,
)
from limen_daemon.routes.table import Route

ROUTES: tuple[Route, ...] = (
    *status.ROUTES,
    *detect.ROUTES,
    *generalize.ROUTES,
    *models.ROUTES,
    *pair.ROUTES,
    *pairings.ROUTES,
    *profile_decisions.ROUTES,
    *profile_lists.ROUTES,
    *profile_settings.ROUTES,
    *profile_keeping.ROUTES,
    *profile_placeholders.ROUTES,
    *standins.ROUTES,
)

__all__ = ["ROUTES", "Route"]
