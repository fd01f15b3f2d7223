"""The card: what it says, what its buttons do, and that the keyboard alone is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright

from browser.composer import Composer
from browser.conftest import Chromium, connect
from browser.daemon_process import DaemonProcess
from browser.extension_build import PAGES, build_extension
from browser.toolbar import command

MAIL = "jane.cooper@hotmail.com"
TYPED = f"my email is {MAIL} and my wife's email is mary.cooper@yahoo.com for now"


@pytest.fixture
def composer(compose: Callable[..., Composer]) -> Composer:
    opened = compose("prosemirror", text=TYPED)
    opened.wait_for_mark(MAIL)
    return opened


def test_the_card_says_the_phrase_what_it_tells_and_its_kind(composer: Composer) -> None:
    text = composer.open_card(MAIL).text
    assert f"“{MAIL}”" in text
    assert "email" in text
    assert "Contact details · about you" in text


def test_why_marked_names_the_reason(composer: Composer) -> None:
    composer.open_card(MAIL)
    composer.press_in_card("Why marked?")
    composer.roots.wait_for(".card", "pattern was recognized")
    composer.roots.wait_for(".card", "no choices of yours")


def test_keeping_takes_the_mark_away_here_and_undo_brings_it_back(composer: Composer) -> None:
    composer.open_card(MAIL)
    composer.press_in_card("Keep")
    composer.wait_for_unmarked(MAIL)
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_mark(MAIL)
    assert composer.text == TYPED


def test_a_kept_phrase_typed_again_is_not_marked_again(composer: Composer) -> None:
    composer.open_card(MAIL)
    composer.press_in_card("Keep")
    composer.wait_for_unmarked(MAIL)
    composer.page.keyboard.press("Control+End")
    composer.type(f" and {MAIL} and bob.lee@yahoo.com")
    composer.wait_for_mark("bob.lee@yahoo.com")
    assert MAIL not in composer.marked()


def test_generalizing_puts_the_users_own_wording_in(composer: Composer, page: Page) -> None:
    composer.open_card(MAIL)
    composer.press_in_card("Generalize")
    field = composer.roots.wait_for(".card input")
    field.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("my work address")
    page.keyboard.press("Enter")
    composer.wait_for_text(TYPED.replace(MAIL, "my work address"))


def test_typing_closes_the_card_and_goes_into_the_text(composer: Composer) -> None:
    composer.open_card(MAIL)
    composer.type("x")
    composer.roots.wait_gone(".card")
    assert composer.text.replace("x", "") == TYPED.replace("x", "")


def test_a_click_elsewhere_closes_the_card(composer: Composer, page: Page) -> None:
    composer.open_card(MAIL)
    page.mouse.click(5, 5)
    composer.roots.wait_gone(".card")


def test_a_selection_is_no_click(composer: Composer, page: Page) -> None:
    x, y, width, height = composer.mark_box(MAIL)
    page.mouse.move(x + 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width - 2, y + height / 2, steps=4)
    page.mouse.up()
    page.wait_for_timeout(300)
    assert composer.roots.all(".card") == []


def test_the_card_never_covers_its_phrase(composer: Composer) -> None:
    composer.open_card(MAIL)
    x, y, width, height = composer.mark_box(MAIL)
    card_x, card_y, card_width, card_height = composer.roots.wait_for(".card").box()
    is_beside = (
        card_y >= y + height or card_y + card_height <= y or card_x >= x + width or card_x + card_width <= x
    )
    assert is_beside


def test_a_tall_card_stays_inside_the_window(composer: Composer) -> None:
    composer.open_card(MAIL)
    composer.press_in_card("Generalize")
    composer.roots.wait_for(".card input")
    composer.page.wait_for_timeout(300)
    _, y, _, height = composer.roots.wait_for(".card").box()
    viewport = composer.page.viewport_size
    assert viewport is not None and y >= 0 and y + height <= viewport["height"]
    composer.press_in_card("Why marked?")
    composer.roots.wait_for(".card", "pattern was recognized")


def test_the_keyboard_alone_opens_chooses_and_comes_back(composer: Composer, page: Page) -> None:
    command(page, "next-mark")
    composer.roots.wait_for(".card")
    first = composer.roots.wait_for(".card h2").text
    command(page, "next-mark")
    page.wait_for_timeout(200)
    second = composer.roots.wait_for(".card h2").text
    assert first != second
    command(page, "previous-mark")
    composer.roots.wait_for(".card h2", first.strip("“”"))
    page.keyboard.press("Escape")
    composer.roots.wait_gone(".card")
    page.keyboard.press("End")
    composer.type("!")
    composer.wait_for_text(TYPED + "!")


def test_the_number_keys_choose_in_a_card_opened_by_the_keyboard(composer: Composer, page: Page) -> None:
    page.keyboard.press("Control+Home")
    command(page, "open-mark")
    composer.roots.wait_for(".card", MAIL)
    page.keyboard.press("2")
    composer.wait_for_placeholder(TYPED, MAIL)


def test_a_page_cannot_look_into_the_card(composer: Composer, page: Page) -> None:
    composer.open_card(MAIL)
    assert page.evaluate("""() => [...document.documentElement.children]
        .filter((node) => node !== document.head && node !== document.body)
        .every((node) => node.shadowRoot === null && node.textContent === "")""")


@pytest.fixture(scope="module")
def open_roots(
    playwright: Playwright, pages: Path, daemon: DaemonProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """The extension with open shadow roots: axe cannot see into closed ones."""
    built = build_extension(tmp_path_factory.mktemp("open"), daemon.port, "--open-shadow")
    context = Chromium(playwright, built / "chromium", pages, tmp_path_factory.mktemp("profile")).launch()
    connect(context, daemon)
    yield context
    context.close()


@pytest.mark.parametrize("dark", ["", "1"])
def test_axe_finds_nothing_in_the_card(open_roots: BrowserContext, dark: str) -> None:
    page = open_roots.new_page()
    composer = Composer.open(page, "prosemirror", text=TYPED, dark=dark)
    composer.focus()
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    for button in ("Generalize", "Why marked?", "Always…"):
        composer.press_in_card(button)
        page.wait_for_timeout(200)
        page.evaluate((PAGES / "dist" / "axe.min.js").read_text() + "; 0")
        violations = page.evaluate(
            "async () => (await axe.run(document.documentElement.lastElementChild)).violations"
            ".map((one) => [one.id, one.nodes.map((node) => node.html)])"
        )
        assert violations == []
    page.close()
