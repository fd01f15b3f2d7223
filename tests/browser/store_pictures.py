"""Takes the pictures for the stores, 1280 x 800, in three languages, with the real daemon and model.

PYTHONPATH=tests python tests/browser/store_pictures.py [folder]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from browser.composer import Composer
from browser.conftest import Chromium, connect
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import ROOT, build_extension, build_pages
from browser.made_up_history import make_profile
from browser.settings_page import go
from browser.toolbar import worker

OUT = ROOT / "artifacts" / "store" / "pictures"
SIZE = {"width": 1280, "height": 800}
TILE = {"width": 440, "height": 280}
TEXTS = {
    "en": ("my 3 year old repeats syllables twice and I'm worried", "3 year old"),
    "zh": ("我妈72了，左膝置换以后下楼梯还是疼", "72"),
    "de": ("my 3 year old repeats syllables twice and I'm worried", "3 year old"),
}


def has_chinese_font() -> bool:
    listed = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False)
    return listed.stdout.strip() != b""


def speak(page: Page, language: str) -> None:
    worker(page).evaluate("(language) => chrome.storage.local.set({ settings: { language } })", language)


def take(context: BrowserContext, out: Path) -> None:
    page = context.new_page()
    page.set_viewport_size(SIZE)
    for language, (text, part) in TEXTS.items():
        if language == "zh" and not has_chinese_font():
            print("No Chinese font on this machine (Debian: fonts-noto-cjk): no Chinese pictures.")
            continue
        speak(page, language)
        composer = Composer.open(page, "prosemirror", text=text)
        # Drawn larger, so that the lines can be seen in the store's small view.
        page.add_style_tag(content="main { zoom: 1.5 }")
        composer.focus()
        phrase = composer.wait_for_mark(part)
        page.screenshot(path=out / f"{language}-1-marks.png")
        composer.open_card(phrase)
        page.wait_for_timeout(400)
        page.screenshot(path=out / f"{language}-2-card.png")
        if language == "en":
            page.set_viewport_size(TILE)
            page.wait_for_timeout(400)
            page.screenshot(path=out / "tile-440x280.png")
            page.set_viewport_size(SIZE)
        for number, section in enumerate(("boundary", "history", "behaviour"), start=3):
            go(page, section)
            page.wait_for_timeout(600)
            page.screenshot(path=out / f"{language}-{number}-{section}.png")
    page.close()


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        make_profile(folder / "daemon", 260)
        extension = build_extension(folder / "extension", port) / "chromium"
        daemon = DaemonProcess(folder / "daemon", port)
        daemon.start()
        try:
            context = Chromium(playwright, extension, build_pages(), folder / "profile").launch()
            connect(context, daemon)
            take(context, out)
            context.close()
        finally:
            daemon.stop()
    print(f"{len(list(out.glob('*.png')))} pictures in {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
