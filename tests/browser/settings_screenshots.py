"""Takes pictures of every section of the settings page, with a real daemon and made-up choices.

PYTHONPATH=tests python tests/browser/settings_screenshots.py [SECTION …]

All of them go to artifacts/settings; light, dark and Chinese also to docs/screenshots (see docs/looks.md).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from browser.conftest import Chromium, connect
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import EXTENSION_ID, ROOT, build_extension
from browser.made_up_history import make_profile
from browser.pictures import save_small

OUT = ROOT / "artifacts" / "settings"
DOCS = ROOT / "docs" / "screenshots"
SECTIONS = (
    "boundary",
    "history",
    "lists",
    "calibrate",
    "behaviour",
    "sites",
    "detector",
    "privacy",
    "connection",
)
LOOKS = (("light", "en"), ("dark", "en"), ("dark", "zh"), ("light", "de"))
SHOWN = {("light", "en"): "", ("dark", "en"): "-dark", ("dark", "zh"): "-chinese"}
"""What the documentation shows, and how its files end."""


def open_section(page: Page, section: str) -> None:
    page.goto("about:blank")
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#{section}")
    page.wait_for_selector("#main > section:not([data-drawing])")
    page.wait_for_timeout(500)


def take(context: BrowserContext, wanted: tuple[str, ...]) -> None:
    page = context.new_page()
    for scheme, language in LOOKS:
        open_section(page, "behaviour")
        page.evaluate("(language) => chrome.storage.local.set({ settings: { language } })", language)
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.set_viewport_size({"width": 1120, "height": 860})
        for section in wanted:
            open_section(page, section)
            if section == "connection":
                page.click("#self-test")
                page.wait_for_selector(".links li:nth-child(5)")
            name = f"{section}-{scheme}-{language}"
            page.screenshot(path=OUT / f"{name}.png", full_page=section not in ("history", "boundary"))
            if (scheme, language) in SHOWN:
                save_small(OUT / f"{name}.png", DOCS / f"settings-{section}{SHOWN[scheme, language]}.png")
    page.set_viewport_size({"width": 360, "height": 740})
    for section in wanted:
        open_section(page, section)
        page.screenshot(path=OUT / f"{section}-narrow.png", full_page=section != "history")
    page.close()


def main(wanted: tuple[str, ...]) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        make_profile(folder / "daemon", 260)
        extension = build_extension(folder / "extension", port) / "chromium"
        daemon = DaemonProcess(folder / "daemon", port)
        daemon.start()
        try:
            context = Chromium(playwright, extension, folder, folder / "browser").launch()
            connect(context, daemon)
            take(context, wanted or SECTIONS)
            context.close()
        finally:
            daemon.stop()


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
