"""The settings page with a real profile: it shows what is stored, and a change in it is a change there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import build_extension
from browser.made_up_history import make_profile
from browser.settings_page import SECTIONS, ask, axe, go, toast, width

CHOICES = 260
ROWS = ".row-inside"


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory, port: int) -> Path:
    return build_extension(tmp_path_factory.mktemp("extension"), port) / "chromium"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[DaemonProcess]:
    """A daemon of this module's own, with half a year of choices under a key file."""
    folder = tmp_path_factory.mktemp("daemon")
    make_profile(folder, CHOICES)
    process = DaemonProcess(folder, port)
    process.start()
    yield process
    process.stop()


@pytest.fixture
def options(browser: BrowserContext) -> Iterator[Page]:
    page = browser.new_page()
    page.set_viewport_size({"width": 1120, "height": 860})
    yield page
    page.close()


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


@pytest.mark.parametrize("section", SECTIONS)
def test_axe_finds_nothing_in_any_section_in_light_and_dark(options: Page, section: str) -> None:
    for scheme in ("light", "dark"):
        options.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        go(options, section)
        assert axe(options) == [], scheme


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_every_section_fits_a_window_of_360_pixels(options: Page, language: str) -> None:
    options.set_viewport_size({"width": 360, "height": 740})
    go(options, "behaviour")
    write = "(language) => chrome.storage.local.set({ settings: { language } })"
    options.evaluate(write, language)
    try:
        for section in SECTIONS:
            go(options, section)
            assert width(options) <= 360, section
    finally:
        options.evaluate(write, "en")


def test_the_map_shows_the_numbers_of_the_store(options: Page) -> None:
    go(options, "boundary")
    cells = ask(options, "/v1/decisions/summary")["by_cell"]
    assert sum(cell["total"] for cell in cells) == CHOICES
    known = {(cell["granularity"], cell["identifiability"]): cell for cell in cells}
    for granularity in (1, 2, 3):
        for identifiability in (1, 2, 3):
            cell = known.get((granularity, identifiability), {"accepted": 0, "total": 0})
            shown = options.locator(
                f".cell[data-granularity='{granularity}'][data-identifiability='{identifiability}']"
            )
            assert number(shown.locator(".number").inner_text()) == cell["total"]
            percent = int(100 * cell["accepted"] / max(1, cell["total"]) + 0.5)
            assert shown.locator(".fill").evaluate("(fill) => fill.style.height") == f"{percent}%"
            assert ("few" in (shown.get_attribute("class") or "")) == (cell["total"] < 3)


def test_the_map_follows_its_filters_and_leads_to_the_choices_of_a_cell(options: Page) -> None:
    go(options, "boundary")
    options.get_by_label("About whom").select_option("related")
    wanted = ask(options, "/v1/decisions/summary", subject="related")["total"]
    numbers = "[...document.querySelectorAll('.cell .number')]"
    total = f"() => {numbers}.reduce((sum, one) => sum + Number(one.textContent), 0)"
    options.wait_for_function(f"(wanted) => ({total})() === wanted", arg=wanted)
    assert 0 < wanted < CHOICES
    options.get_by_label("About whom").select_option("")
    options.get_by_label("Kind", exact=True).select_option("health")
    wanted = ask(options, "/v1/decisions/summary", category="health")["total"]
    options.wait_for_function(f"(wanted) => ({total})() === wanted", arg=wanted)
    cell = options.locator(".cell[data-granularity='2'][data-identifiability='1']")
    count = number(cell.locator(".number").inner_text())
    cell.locator("a").click()
    expect(options.locator("#history-count")).to_have_text(f"{count} choices")
    expect(options.get_by_label("Kind", exact=True)).to_have_value("health")


def test_the_history_shows_what_was_recorded_newest_first(options: Page) -> None:
    go(options, "history")
    items = ask(options, "/v1/decisions/list", page=1, page_size=5)["items"]
    for index, item in enumerate(items):
        row = options.locator(ROWS).nth(index)
        assert row.get_attribute("data-id") == str(item["id"])
        assert row.locator("select").input_value() == item["decision"]
        if item["phrase"] is None:
            expect(row.locator(".phrase")).to_contain_text("removed")
        else:
            expect(row.locator(".phrase")).to_have_text(item["phrase"])
            expect(row.locator(".tells")).to_have_text(item["information"])
        expect(row.locator(".meta")).to_contain_text(item["site"])
    expect(options.locator("#history-count")).to_have_text(f"{CHOICES} choices")


def test_the_history_is_searched_and_filtered(options: Page) -> None:
    go(options, "history")
    options.fill("#search", "NURSE")
    total = ask(options, "/v1/decisions/list", search="nurse")["total"]
    expect(options.locator("#history-count")).to_have_text(f"{total} choices")
    expect(options.locator(ROWS).first).to_contain_text("nurse")
    options.get_by_label("Site", exact=True).select_option("claude.ai")
    total = ask(options, "/v1/decisions/list", search="nurse", site="claude.ai")["total"]
    expect(options.locator("#history-count")).to_have_text(f"{total} choices")
    options.fill("#search", "nothing has these words")
    expect(options.locator(".empty")).to_have_text("No choice fits this.")


def first_row(page: Page, decision: str) -> Locator:
    page.get_by_label("Choice", exact=True).select_option(decision)
    found: Locator = page.locator(f"{ROWS}:has(select[data-decision='{decision}'])").first
    found.wait_for()
    return found


def decision_of(page: Page, identity: int) -> dict[str, object]:
    for number_ in (1, 2):
        for item in ask(page, "/v1/decisions/list", page=number_, page_size=200)["items"]:
            if item["id"] == identity:
                return dict(item)
    raise AssertionError("the choice is gone")


def test_a_choice_is_changed_at_once_and_changed_back(options: Page) -> None:
    go(options, "history")
    row = first_row(options, "kept")
    identity = int(row.get_attribute("data-id") or "")
    row.locator("select").select_option("allowed_always")
    expect(toast(options)).to_contain_text("Changed to “Always kept”.")
    assert decision_of(options, identity)["decision"] == "allowed_always"
    toast(options).get_by_role("button", name="Undo").click()
    expect(options.locator(f"[data-id='{identity}'] select")).to_have_value("kept")
    assert decision_of(options, identity)["decision"] == "kept"


def test_a_change_that_forgets_the_phrase_waits_for_the_user(options: Page) -> None:
    go(options, "history")
    row = first_row(options, "kept")
    identity = int(row.get_attribute("data-id") or "")
    row.locator("select").select_option("redacted")
    expect(toast(options)).to_contain_text("forgets the phrase for good")
    assert decision_of(options, identity)["phrase"] is not None
    toast(options).get_by_role("button", name="Undo").click()
    expect(options.locator(f"[data-id='{identity}'] select")).to_have_value("kept")
    options.locator(f"[data-id='{identity}'] select").select_option("redacted")
    toast(options).get_by_role("button", name="Do it now").click()
    expect(options.locator(f"[data-id='{identity}'] .phrase")).to_contain_text("removed")
    assert (decision_of(options, identity)["phrase"], decision_of(options, identity)["decision"]) == (
        None,
        "redacted",
    )


def test_deleting_reaches_the_store_and_undo_prevents_it(options: Page) -> None:
    go(options, "history")
    before = ask(options, "/v1/decisions/list")["total"]
    options.locator(f"{ROWS} .quiet").first.click()
    toast(options).get_by_role("button", name="Undo").click()
    assert ask(options, "/v1/decisions/list")["total"] == before
    gone = [int(options.locator(ROWS).nth(index).get_attribute("data-id") or "") for index in range(3)]
    for index in range(3):
        options.locator(f"{ROWS} input[type=checkbox]").nth(index).check()
    expect(options.locator(".selection")).to_contain_text("3 selected")
    options.get_by_role("button", name="Delete selected").click()
    toast(options).get_by_role("button", name="Do it now").click()
    expect(toast(options)).to_contain_text("3 choices deleted.")
    items = ask(options, "/v1/decisions/list", page=1, page_size=200)
    assert items["total"] == before - 3
    assert not {item["id"] for item in items["items"]} & set(gone)
    expect(options.locator("#history-count")).to_have_text(f"{before - 3} choices")


def test_a_deletion_that_waits_is_done_when_the_section_is_left(options: Page) -> None:
    go(options, "history")
    before = ask(options, "/v1/decisions/list")["total"]
    options.locator(f"{ROWS} .quiet").first.click()
    expect(toast(options)).to_contain_text("about to be deleted")
    options.click("[data-section=detector]")
    expect(toast(options)).to_contain_text("1 choice deleted.")
    assert ask(options, "/v1/decisions/list")["total"] == before - 1


def test_all_that_fit_a_filter_are_deleted_together(options: Page) -> None:
    go(options, "history")
    options.get_by_label("Kind", exact=True).select_option("skill")
    fit = ask(options, "/v1/decisions/list", category="skill")["total"]
    expect(options.locator("#history-count")).to_have_text(f"{fit} choices")
    before = ask(options, "/v1/decisions/list")["total"]
    options.locator(f"{ROWS} input[type=checkbox]").first.check()
    options.get_by_role("button", name=f"Delete all {fit} that fit").click()
    toast(options).get_by_role("button", name="Do it now").click()
    expect(options.locator(".empty")).to_have_text("No choice fits this.")
    assert ask(options, "/v1/decisions/list")["total"] == before - fit


def test_rules_are_added_listed_and_removed(options: Page) -> None:
    go(options, "lists")
    options.select_option("#rule", "block")
    options.fill("#rule-value", "project nightingale")
    options.get_by_role("button", name="Add", exact=True).click()
    expect(options.locator("output")).to_have_text("Added.")
    rules = ask(options, "/v1/lists/get")["items"]
    assert (rules[0]["rule"], rules[0]["scope"]) == ("block", "value")
    expect(options.locator("li", has_text=rules[0]["value"])).to_have_count(1)
    assert "nightingale" not in options.inner_text("main")
    options.select_option("#rule", "allow")
    options.select_option("#scope", "category")
    options.select_option("#rule-kind", "emotion")
    options.get_by_role("button", name="Add", exact=True).click()
    row = options.locator("li", has_text="Kind: Feelings")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Remove").click()
    toast(options).get_by_role("button", name="Do it now").click()
    expect(toast(options)).to_contain_text("Removed.")
    assert not any(rule["value"] == "emotion" for rule in ask(options, "/v1/lists/get")["items"])


def test_the_calibration_is_left_and_resumed_and_ends_in_a_picture(options: Page) -> None:
    go(options, "calibrate")
    options.locator(".wording").first.click()
    options.get_by_role("button", name="Next").click()
    expect(options.locator(".dots")).to_contain_text("1 of 8")
    go(options, "calibrate")
    expect(options.locator(".dots")).to_contain_text("1 of 8")
    assert len(ask(options, "/v1/profile/calibration/get")["answered"]) == 1
    for done in range(2, 9):
        options.locator(".wording").first.click()
        options.get_by_role("button", name="Next").click()
        expect(options.locator(".dots")).to_contain_text(f"{done} of 8")
    expect(options.locator(".cell .number").first).to_have_text("7")
    options.get_by_role("button", name="start over").click()
    expect(options.locator(".dots")).to_contain_text("0 of 8")


def test_caution_and_retention_are_kept_in_the_profile_and_undone(options: Page) -> None:
    go(options, "behaviour")
    options.get_by_label("Careful").check()
    expect(toast(options)).to_contain_text("Saved.")
    assert ask(options, "/v1/profile/settings/get")["caution"] == "careful"
    toast(options).get_by_role("button", name="Undo").click()
    expect(options.get_by_label("Balanced")).to_be_checked()
    assert ask(options, "/v1/profile/settings/get")["caution"] == "balanced"
    go(options, "privacy")
    options.select_option("#retention", label="never")
    expect(toast(options)).to_contain_text("Saved.")
    assert ask(options, "/v1/profile/settings/get")["retention_days"] is None
    options.select_option("#retention", "365")


def test_a_pause_is_said_everywhere_and_ended(options: Page) -> None:
    go(options, "privacy")
    options.get_by_role("button", name="30 minutes").click()
    expect(options.locator(".banner")).to_contain_text("Nothing is recorded until")
    go(options, "history")
    expect(options.locator(".banner")).to_contain_text("Nothing is recorded until")
    options.get_by_role("button", name="Go on now").click()
    expect(options.locator(".banner")).to_have_count(0)
    assert ask(options, "/v1/profile/status")["mode"] == "on"


def test_a_site_is_switched_off_for_all_its_hosts(options: Page) -> None:
    go(options, "sites")
    row = options.locator("tr", has_text="Claude")
    expect(row.locator(".last")).to_contain_text("last")
    row.get_by_role("switch").uncheck()
    expect(toast(options)).to_contain_text("Saved.")
    read = "async () => (await chrome.storage.local.get('settings')).settings.sitesOff"
    assert set(options.evaluate(read)) == {"claude.ai", "claude.com"}
    toast(options).get_by_role("button", name="Undo").click()
    expect(options.locator("tr", has_text="Claude").get_by_role("switch")).to_be_checked()
    assert options.evaluate(read) == []
    options.fill("#add-site", "not a site")
    options.get_by_role("button", name="Add", exact=True).click()
    expect(options.locator("#add-site-result")).to_contain_text("not the name of a site")


def test_the_self_test_names_the_broken_link(options: Page, daemon: DaemonProcess) -> None:
    go(options, "connection")
    options.click("#self-test")
    expect(options.locator(".links .ok")).to_have_count(5)
    expect(options.locator(".links li").last).to_contain_text("ms there and back")
    daemon.stop()
    try:
        options.click("#self-test")
        expect(options.locator(".links .broken")).to_contain_text("Nothing answers at 127.0.0.1")
        expect(options.locator(".links .ok")).to_have_count(0)
        go(options, "history")
        expect(options.locator(".notice")).to_contain_text("Limen is not running on this computer.")
        assert axe(options) == []
    finally:
        daemon.start()
    options.get_by_role("button", name="Try again").click()
    expect(options.locator(ROWS).first).to_be_visible()


def test_the_detector_is_named_and_its_speed_is_measured(options: Page) -> None:
    go(options, "detector")
    status = options.evaluate("() => chrome.runtime.sendMessage({ kind: 'ReadStatus' })")["status"]
    name = status["detector"]["id"] if status["detector"] else "none"
    expect(options.locator(".facts")).to_contain_text(name)
    options.get_by_role("button", name="Measure now").click()
    expect(options.locator("#speed")).to_contain_text(re.compile(r"\d+ ms"), timeout=60_000)


def test_a_locked_profile_says_so_and_is_unlocked_here(options: Page) -> None:
    go(options, "connection")
    ask(options, "/v1/profile/lock")
    go(options, "boundary")
    expect(options.locator(".notice")).to_contain_text("Your profile is locked.")
    options.get_by_role("button", name="Unlock now").click()
    expect(options.locator(".map")).to_be_visible()


def test_what_was_exported_comes_back_after_everything_was_erased(
    options: Page, tmp_path: Path, daemon: DaemonProcess
) -> None:
    go(options, "privacy")
    stored = ask(options, "/v1/decisions/list")["total"]
    options.fill("#export-passphrase", "a long enough passphrase")
    with options.expect_download() as download:
        options.get_by_role("button", name="Export").click()
    sealed = tmp_path / "profile.limen"
    download.value.save_as(sealed)
    assert "nurse" not in sealed.read_text()

    erase = options.get_by_role("button", name="Erase everything")
    expect(erase).to_be_disabled()
    options.fill("#erase-word", "Erase")
    expect(erase).to_be_disabled()
    options.fill("#erase-word", "erase")
    erase.click()
    expect(options.locator(".notice")).to_contain_text("There is no profile on this computer.")
    assert ask(options, "/v1/profile/status")["mode"] == "off"
    assert not (daemon.folder / "profile" / "profile.db").exists()

    daemon.limen("profile", "init", "--memory")
    options.get_by_role("button", name="Try again").click()
    options.set_input_files("#import-file", sealed)
    options.fill("#import-passphrase", "another passphrase")
    options.get_by_role("button", name="Import").click()
    expect(options.locator("#import-result")).to_contain_text("not the passphrase")
    options.fill("#import-passphrase", "a long enough passphrase")
    options.get_by_role("button", name="Import").click()
    expect(options.locator("#import-result")).to_contain_text(f"Imported: {stored} choices")
    assert ask(options, "/v1/decisions/list")["total"] == stored
