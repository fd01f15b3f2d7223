"""What a paired browser is called: "Firefox on Linux". From a closed list, never copied from a header."""

from __future__ import annotations

from collections.abc import Sequence

# In this order: every Chromium browser says "Chrome" too.
_BROWSERS = (("Firefox/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"))
_BRANDS = (("Brave", "Brave"), ("Google Chrome", "Chrome"), ("Chromium", "Chromium"))
_SYSTEMS = (("Windows", "Windows"), ("Mac OS X", "macOS"), ("Android", "Android"), ("Linux", "Linux"))


def label_for(user_agent: str, brands: str = "") -> str:
    """From the headers `User-Agent` and `Sec-CH-UA`; either may be empty or made up."""
    browser = _named(_BROWSERS, user_agent) or _named(_BRANDS, brands)
    if browser is None:
        browser = "Chrome" if "Chrome/" in user_agent else "Browser"
    system = _named(_SYSTEMS, user_agent)
    return browser if system is None else f"{browser} on {system}"


def _named(names: Sequence[tuple[str, str]], header: str) -> str | None:
    return next((name for sign, name in names if sign in header), None)
