"""Draws the icons' PNG files from their SVG sources. Needed only when an SVG has changed.

    python extension/build/icons.py
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "icons"
SIZES = {"on": (16, 32, 48, 64, 96, 128), "off": (16, 32), "unseen": (16, 32), "unchecked": (16, 32)}

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for name, sizes in SIZES.items():
        svg = (FOLDER / f"{name}.svg").read_text()
        for size in sizes:
            page = browser.new_page(viewport={"width": size, "height": size})
            drawn = svg.replace("<svg ", f'<svg width="{size}" height="{size}" style="display:block" ')
            page.set_content(f'<body style="margin:0;background:transparent">{drawn}')
            page.screenshot(path=FOLDER / f"{name}-{size}.png", omit_background=True)
            page.close()
    browser.close()
