"""A file that was attached and is not sent: spoken of as long as it may be there, and no longer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.toolbar import wait_for_title

NOT_CHECKED = "The attached file was not checked."
FINE = "Checked. Nothing to point out."
FILE = {"name": "cv.txt", "mimeType": "text/plain", "buffer": b"Jane Cooper"}
SETTLED_MS = 1500

UPLOADS = {
    # The field is the file; the button takes it away.
    "kept": "remove.onclick = () => { input.value = ''; }",
    # The page takes the file at once, so that the same one can be chosen again.
    "taken": "input.onchange = () => { input.value = ''; }",
    # The page takes it when it has uploaded it.
    "taken later": "input.onchange = () => setTimeout(() => { input.value = ''; }, 1300)",
    # The field stands in a menu that is closed by the press.
    "in a menu": "remove.onclick = () => { input.remove(); }",
}


def attach(page: Page, upload: str) -> None:
    page.evaluate(f"""() => {{
        const input = Object.assign(document.createElement("input"), {{ type: "file", id: "upload" }});
        const remove = Object.assign(document.createElement("button"), {{ id: "remove", textContent: "x" }});
        document.querySelector("main").append(input, remove);
        {UPLOADS[upload]};
    }}""")
    page.set_input_files("#upload", FILE)


@pytest.fixture
def fine(compose: Callable[..., Composer], page: Page) -> Composer:
    composer = compose("prosemirror", text="How to go from Shanghai to London?")
    wait_for_title(page, FINE)
    return composer


@pytest.mark.parametrize("way", ["mouse", "key"])
def test_a_file_that_was_taken_away_is_spoken_of_no_more(fine: Composer, page: Page, way: str) -> None:
    attach(page, "kept")
    wait_for_title(page, NOT_CHECKED)
    page.wait_for_timeout(SETTLED_MS)
    fine.focus()
    fine.type(" Please. ")
    page.wait_for_timeout(SETTLED_MS)
    wait_for_title(page, NOT_CHECKED)
    if way == "mouse":
        page.click("#remove")
    else:
        page.focus("#remove")
        page.keyboard.press("Enter")
    wait_for_title(page, FINE)


def test_a_choice_that_was_taken_back_in_the_field_itself_is_spoken_of_no_more(
    fine: Composer, page: Page
) -> None:
    attach(page, "kept")
    wait_for_title(page, NOT_CHECKED)
    page.set_input_files("#upload", [])
    wait_for_title(page, FINE)


@pytest.mark.parametrize("upload", ["taken", "taken later", "in a menu"])
def test_a_file_that_the_page_took_or_hid_is_still_spoken_of_after_a_press(
    fine: Composer, page: Page, upload: str
) -> None:
    attach(page, upload)
    wait_for_title(page, NOT_CHECKED)
    page.wait_for_timeout(SETTLED_MS)
    page.click("#remove")
    page.wait_for_timeout(SETTLED_MS)
    wait_for_title(page, NOT_CHECKED)


@pytest.mark.parametrize("way", ["taken", "dropped"])
def test_a_file_that_nothing_tells_of_is_spoken_of_for_ten_minutes(
    fine: Composer, page: Page, way: str
) -> None:
    if way == "taken":
        attach(page, "taken")
    else:
        page.evaluate("""() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["Jane Cooper"], "cv.txt"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""")
    wait_for_title(page, NOT_CHECKED)
    skip(page, minutes=9)
    page.wait_for_timeout(500)
    wait_for_title(page, NOT_CHECKED)
    skip(page, minutes=2)
    wait_for_title(page, FINE)


def skip(page: Page, *, minutes: int) -> None:
    """The page's timers, the extension's among them, run as if the time had passed."""
    cdp = page.context.new_cdp_session(page)
    passed = []
    cdp.on("Emulation.virtualTimeBudgetExpired", lambda event: passed.append(event))
    cdp.send("Emulation.setVirtualTimePolicy", {"policy": "advance", "budget": minutes * 60_000})
    for _ in range(300):
        if passed:
            return
        page.wait_for_timeout(100)
    raise AssertionError("time did not pass")
