"""Everything that is carried by the application or by a request, typed."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.identity import Identity
from limen_daemon.lanes.protocol import Lane
from limen_daemon.pairing.service import PairingService
from limen_daemon.profile_port import ProfilePort
from limen_daemon.settings import Settings

SETTINGS = web.AppKey("settings", Settings)
LANE: web.AppKey[Lane] = web.AppKey("lane", Lane)
PAIRING = web.AppKey("pairing", PairingService)
PROFILE: web.AppKey[ProfilePort] = web.AppKey("profile", ProfilePort)

IDENTITY: web.RequestKey[Identity] = web.RequestKey("identity", Identity)
"""Who calls; set by the gate before any handler runs."""
BODY: web.RequestKey[bytes] = web.RequestKey("body", bytes)
"""The request's body in clear; set by the body middleware."""
