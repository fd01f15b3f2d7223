"""Measures what the extension costs while typing, and how soon a mark is seen. Prints a table.

    PYTHONPATH=tests python tests/browser/measure_typing.py

Each row is one run with the extension at work (on chatgpt.com) and one without it (on a host that it does
not work on), in the same browser, one after the other, 500 keys each.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from browser.composer import Composer
from browser.conftest import Chromium, connect
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import build_extension, build_pages

KEYS = 500
MARKED_TIMES = 40
SENTENCE = "Line {n} of a text about the weather, the garden and a long walk. "
MAIL = "jane.cooper{n}@hotmail.com"

WATCH_KEYS = """() => {
    window.__keys = [];
    window.__long = [];
    let start = 0;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { if (start) __keys.push(performance.now() - start); start = 0; };
    const down = () => { start = performance.now(); channel.port2.postMessage(0); };
    window.addEventListener("keydown", down, true);
    new PerformanceObserver((list) => __long.push(...list.getEntries().map((entry) => entry.duration)))
        .observe({ type: "longtask" });
}"""

WATCH_MARK = """(phrase) => new Promise((done) => {
    const start = performance.now();
    const look = () => {
        const isSeen = [...CSS.highlights.values()].some((one) => [...one].some((range) =>
            (range instanceof Range ? range.toString()
                : __ed.host.value.slice(range.startOffset, range.endOffset)) === phrase));
        if (isSeen) done(performance.now() - start); else requestAnimationFrame(look);
    };
    look();
})"""


def text_of(characters: int) -> str:
    lines, length, number = [], 0, 0
    while length < characters:
        line = SENTENCE.format(n=number)
        lines.append(line)
        length += len(line) + 1
        number += 1
    return "\n".join(lines)[:characters]


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def keys(page: Page, editor: str, origin: str, characters: int) -> tuple[list[float], list[float]]:
    """Milliseconds from each key to the end of its task, and of the long tasks meanwhile."""
    composer = Composer.open(page, editor, origin=origin)
    composer.evaluate("(text) => __ed.set(text)", text_of(characters))
    composer.focus()
    page.wait_for_timeout(4000)
    page.evaluate(WATCH_KEYS)
    for index in range(KEYS):
        page.keyboard.press("Space" if index % 6 == 5 else "abcdefghij"[index % 10])
    return page.evaluate("() => __keys"), page.evaluate("() => __long")


def delays(page: Page) -> list[float]:
    """Milliseconds from the last key to the frame in which the mark is there."""
    composer = Composer.open(page, "prosemirror")
    composer.focus()
    found = []
    for number in range(MARKED_TIMES):
        phrase = MAIL.format(n=number)
        composer.type(f"my email is {phrase}", delay_ms=0)
        found.append(float(composer.evaluate(WATCH_MARK, phrase)))
        composer.evaluate("() => __ed.set('')")
    return found


def measure(context: BrowserContext) -> None:
    page = context.new_page()
    print("| editor | characters | p95 without, ms | p95 with, ms | added | long tasks without / with |")
    print("|---|---|---|---|---|---|")
    for editor in ("prosemirror", "lexical", "textarea"):
        for characters in (5_000, 25_000):
            without, long_without = keys(page, editor, "https://elsewhere.test", characters)
            with_, long_with = keys(page, editor, "https://chatgpt.com", characters)
            before, after = percentile(without, 0.95), percentile(with_, 0.95)
            print(
                f"| {editor} | {characters} | {before:.2f} | {after:.2f} | {after - before:+.2f} "
                f"| {len(long_without)} / {len(long_with)} |",
                flush=True,
            )
    found = delays(page)
    print(
        f"\nMark seen after the last key (300 ms of them waiting): p50 {statistics.median(found):.0f} ms, "
        f"p95 {percentile(found, 0.95):.0f} ms, n = {len(found)}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        extension = build_extension(folder / "extension", port) / "chromium"
        daemon = DaemonProcess(folder / "daemon", port)
        daemon.start()
        try:
            context = Chromium(playwright, extension, build_pages(), folder / "profile").launch()
            connect(context, daemon)
            measure(context)
            context.close()
        finally:
            daemon.stop()


if __name__ == "__main__":
    main()
