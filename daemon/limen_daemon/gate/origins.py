"""Which origins may talk to the daemon. Only a browser extension has one that can."""

from __future__ import annotations

import re
from typing import Protocol

SHIPPED_ORIGIN = "chrome-extension://nelfjnfdnekdpbmigecgomjlbhfbblnj"
"""Limen's own extension in Chromium: the key in its manifest fixes the id. Firefox has one per install."""

_EXTENSION_ORIGIN = re.compile(
    r"chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)


def is_extension_origin(origin: str) -> bool:
    """Whether `origin` is, as a whole, a Chromium or a Firefox extension's."""
    return _EXTENSION_ORIGIN.fullmatch(origin) is not None


class OriginPolicy(Protocol):
    def allows(self, origin: str) -> bool: ...


class ExtensionOrigins:
    """Any extension may ask; the pairing key then says which one is ours.

    Firefox gives every install its own random id, so no list could be shipped.
    """

    def allows(self, origin: str) -> bool:
        return is_extension_origin(origin)
