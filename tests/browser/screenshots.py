"""Takes the screenshots of the documentation, with the real daemon and model.

PYTHONPATH=tests python tests/browser/screenshots.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from browser.composer import Composer
from browser.conftest import Chromium, connect
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import ROOT, build_extension, build_pages
from browser.pictures import save_small
from browser.toolbar import popup, wait_for_title, worker

OUT = ROOT / "docs" / "screenshots"
ENGLISH = "my 3 year old repeats syllables twice and I'm worried"
LONGER = (
    "I'm a nurse in Leeds and my husband lost his job in March.\n"
    "Please answer to jane.cooper@hotmail.com, my key is sk-ant-api03-aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3b"
    "C5dE7fG9hJ1kL3mN5pQ7rS9tU1vW3xY5zA7bC9dE1fG3-AAAAAA"
)
CHINESE = "我妈72了，左膝置换以后下楼梯还是疼"


TELLS = {"en": "tell", "zh": "透露了"}


def speak(page: Page, language: str) -> None:
    worker(page).evaluate("(language) => chrome.storage.local.set({ settings: { language } })", language)


def shoot(page: Page, name: str, height: int = 380, top: int = 110) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=OUT / f"{name}.png", clip={"x": 60, "y": top, "width": 780, "height": height})
    save_small(OUT / f"{name}.png", OUT / f"{name}.png")


def composers(context: BrowserContext) -> None:
    for name, text, dark, language in (
        ("composer", ENGLISH, "", "en"),
        ("composer-dark", ENGLISH, "1", "en"),
        ("composer-long", LONGER, "", "en"),
        ("composer-chinese", CHINESE, "", "zh"),
    ):
        page = context.new_page()
        speak(page, language)
        composer = Composer.open(page, "prosemirror", text=text, dark=dark)
        composer.focus()
        wait_for_title(page, TELLS[language])
        marked = max(composer.marked(), key=len)
        shoot(page, name)
        composer.open_card(marked)
        shoot(page, name.replace("composer", "card"), 460 if "\n" not in text else 520)
        if name == "composer":
            # Room below, so that the card stays where it was.
            page.set_viewport_size({"width": 900, "height": 1000})
            composer.press_in_card("Generalize")
            composer.roots.wait_for(".card .wording", "young child")
            shoot(page, "card-wordings", 460, top=400)
        page.close()


def popups(context: BrowserContext) -> None:
    page = context.new_page()
    speak(page, "en")
    composer = Composer.open(page, "prosemirror", text=LONGER)
    composer.focus()
    wait_for_title(page, TELLS["en"])
    for language, name in (
        ("en", "popup"),
        ("en", "popup-dark"),
        ("zh", "popup-chinese"),
        ("de", "popup-german"),
    ):
        worker(page).evaluate("(language) => chrome.storage.local.set({ settings: { language } })", language)
        with popup(page) as shown:
            shown.emulate_media(color_scheme="dark" if name.endswith("dark") else "light")
            shown.set_viewport_size({"width": 340, "height": 420})
            shown.wait_for_timeout(300)
            shown.screenshot(path=OUT / f"{name}.png", full_page=True)
            save_small(OUT / f"{name}.png", OUT / f"{name}.png")
    page.close()


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        extension = build_extension(folder / "extension", port) / "chromium"
        daemon = DaemonProcess(folder / "daemon", port)
        daemon.start()
        try:
            context = Chromium(playwright, extension, build_pages(), folder / "profile").launch()
            connect(context, daemon)
            composers(context)
            popups(context)
            context.close()
        finally:
            daemon.stop()


if __name__ == "__main__":
    main()
