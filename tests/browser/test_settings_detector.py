"""Which detector reads the texts is seen and changed in the settings; new files come by the terminal only."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser.daemon_process import DaemonProcess
from browser.settings_page import ask, axe, go, toast, width
from limen_daemon.models.folders import DEFAULT_MODEL, shipped_folder

LOADING_MS = 180_000


@pytest.fixture
def options(browser: BrowserContext) -> Iterator[Page]:
    page = browser.new_page()
    go(page, "detector")
    yield page
    page.close()


def row(options: Page, name: str) -> Locator:
    return options.locator(f"#models li[data-model='{name}']")


def add_damaged_copy(daemon: DaemonProcess, name: str) -> Path:
    """A model in the user's own folder whose file is not what its manifest says."""
    folder = daemon.folder / ".local" / "share" / "limen" / "models" / name
    for part in (folder.parent.parent, folder.parent):
        part.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copytree(shipped_folder() / DEFAULT_MODEL, folder)
    with (folder / "model.onnx").open("r+b") as file:
        file.write(b"damaged")
    return folder


def test_the_list_tells_what_is_there_and_which_one_is_in_use(options: Page) -> None:
    shipped = row(options, DEFAULT_MODEL)
    expect(shipped).to_contain_text("MB · ONNX · English, Chinese · came with Limen")
    expect(shipped.locator(".in-use")).to_have_text("In use")
    expect(row(options, "patterns").get_by_role("button")).to_have_accessible_name("Use this: Patterns only")
    expect(options.locator(".facts")).to_contain_text("Size")
    expect(options.locator("code").last).to_contain_text("limen models add")
    assert axe(options) == []
    options.set_viewport_size({"width": 360, "height": 700})
    assert width(options) <= 360


def test_another_one_is_used_at_once_by_key_and_taken_back(options: Page) -> None:
    row(options, "patterns").get_by_role("button").focus()
    options.keyboard.press("Enter")
    expect(row(options, "patterns").locator(".in-use")).to_be_visible(timeout=LOADING_MS)
    expect(toast(options)).to_contain_text("Texts are checked by Patterns only now.")
    assert ask(options, "/v1/status")["detector"]["format"] == "patterns"
    toast(options).get_by_role("button", name="Undo").click()
    expect(row(options, DEFAULT_MODEL).locator(".in-use")).to_be_visible(timeout=LOADING_MS)
    assert ask(options, "/v1/status")["checked_by"] == "model"


def test_a_damaged_one_is_refused_in_words_and_the_old_one_stays(
    options: Page, daemon: DaemonProcess
) -> None:
    folder = add_damaged_copy(daemon, "broken-copy")
    try:
        go(options, "detector")
        row(options, "broken-copy").get_by_role("button").click()
        expect(options.locator("#model-result")).to_contain_text("not as they should be")
        assert ask(options, "/v1/models/list")["chosen"] == DEFAULT_MODEL
        expect(row(options, "broken-copy").get_by_role("button")).to_be_enabled()
        (folder / "manifest.json").write_text("{")
        go(options, "detector")
        expect(row(options, "broken-copy")).to_contain_text("limen models verify broken-copy")
        expect(row(options, "broken-copy").get_by_role("button")).to_have_count(0)
        assert axe(options) == []
    finally:
        shutil.rmtree(folder)


def test_the_browsers_that_are_connected_are_listed_this_one_first(options: Page) -> None:
    go(options, "connection")
    first = options.locator("#browsers li").first
    expect(first.locator(".in-use")).to_have_text("this browser")
    expect(first).to_contain_text("connected")
    expect(first).to_contain_text("last seen")
    listed = ask(options, "/v1/pairings")["pairings"]
    assert [one["id"] for one in listed if one["this"]] == [first.get_attribute("data-pairing")]
    expect(options.locator("#browsers li")).to_have_count(len(listed))
    assert axe(options) == []
