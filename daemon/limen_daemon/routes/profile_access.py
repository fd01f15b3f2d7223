"""How the profile's routes get at the profile that the application carries."""

from __future__ import annotations

from aiohttp import web

from limen_daemon.keys import PROFILE
from limen_daemon.stored_profile import StoredProfile
from limen_profiles.errors import ProfileOff


def stored(request: web.Request) -> StoredProfile:
    """Raises: ProfileOff for a daemon that keeps none."""
    profile = request.app[PROFILE]
    if not isinstance(profile, StoredProfile):
        raise ProfileOff
    return profile
