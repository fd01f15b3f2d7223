"""Measures what the extension costs while typing, and how soon a mark is seen. Prints tables.

    PYTHONPATH=tests python tests/browser/measure_typing.py [--editor textarea ...] [--profile]

Two tabs hold the same long text with marks in it: one where the extension is at work (chatgpt.com), one
where it is not. Keys go to them by turns, a block here, a block there, 500 keys each. What is compared is
the processor time of the page's main thread for each key (script, style, layout, paint), which a busy
machine does not change as it changes the time on the clock.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext, CDPSession, Page, sync_playwright

from browser.composer import Composer
from browser.conftest import Chromium, connect
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import build_extension, build_pages

EDITORS = ("prosemirror", "lexical", "textarea")
SIZES = (5_000, 25_000)
KEYS_IN_BLOCK = 50
BLOCKS = 10
BETWEEN_KEYS_MS = 35
PASTED_CHARS = 60_000
MARKED_TIMES = 40
PATIENCE_S = 240
SENTENCE = "Line {n} of a text about the weather, the garden and a long walk. "
MAIL = "jane.cooper{n}@hotmail.com"
EVERY = 12
"""One line in so many has something to mark."""

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
    lines: list[str] = []
    length = number = 0
    while length < characters:
        line = (
            f"My mail is {MAIL.format(n=number)} now." if number % EVERY == 1 else SENTENCE.format(n=number)
        )
        lines.append(line)
        length += len(line) + 1
        number += 1
    return "\n".join(lines)


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


@dataclass
class Tab:
    """One page with a long text, and the processor time of its main thread."""

    page: Page
    composer: Composer
    session: CDPSession

    @classmethod
    def open(cls, context: BrowserContext, editor: str, origin: str, text: str) -> Tab:
        page = context.new_page()
        composer = Composer.open(page, editor, origin=origin)
        composer.evaluate("(text) => __ed.set(text)", text)
        composer.focus()
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        return cls(page, composer, session)

    def busy_ms(self) -> float:
        """Processor time that the main thread has spent on tasks so far."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration")) * 1000

    def wait_for_marks(self, count: int) -> None:
        self.page.bring_to_front()
        for _ in range(PATIENCE_S):
            if len(self.composer.marks()) >= count:
                return
            self.page.wait_for_timeout(1000)
        raise AssertionError(f"{len(self.composer.marks())} marks instead of {count}")

    def block(self) -> list[float]:
        """Processor milliseconds for each of the keys of one block."""
        self.page.bring_to_front()
        self.page.wait_for_timeout(300)
        costs = []
        before = self.busy_ms()
        for index in range(KEYS_IN_BLOCK):
            self.page.keyboard.press("Space" if index % 6 == 5 else "abcdefghij"[index % 10])
            self.page.wait_for_timeout(BETWEEN_KEYS_MS)
            after = self.busy_ms()
            costs.append(after - before)
            before = after
        return costs


def compare(context: BrowserContext, editor: str, characters: int, is_profiled: bool) -> None:
    text = text_of(characters)
    off = Tab.open(context, editor, "https://elsewhere.test", text)
    on = Tab.open(context, editor, "https://chatgpt.com", text)
    on.wait_for_marks(text.count("@"))
    off.block()
    on.block()  # warm
    if is_profiled:
        on.session.send("Profiler.enable")
        on.session.send("Profiler.start")
        on.block()
        print_profile(on.session.send("Profiler.stop")["profile"])
    pairs = [(off.block(), on.block()) for _ in range(BLOCKS)]
    without = [cost for block, _ in pairs for cost in block]
    with_ = [cost for _, block in pairs for cost in block]
    added = [percentile(b, 0.95) - percentile(a, 0.95) for a, b in pairs]
    print(
        f"| {editor} | {len(text)} | {text.count('@')} "
        f"| {statistics.median(without):.2f} / {percentile(without, 0.95):.2f} "
        f"| {statistics.median(with_):.2f} / {percentile(with_, 0.95):.2f} "
        f"| {statistics.median(with_) - statistics.median(without):+.2f} | {statistics.median(added):+.2f} "
        f"| {max(with_):.0f} |",
        flush=True,
    )
    off.page.close()
    on.page.close()


def print_profile(profile: dict[str, object]) -> None:
    """Where the extension's own script spends its time, by function."""
    nodes = {node["id"]: node for node in profile["nodes"]}  # type: ignore[attr-defined]
    spent: Counter[str] = Counter()
    for node_id, delta in zip(profile["samples"], profile["timeDeltas"], strict=True):  # type: ignore[call-overload]
        frame = nodes[node_id]["callFrame"]
        if "extension" in frame["url"]:
            spent[f"{frame['functionName']}:{frame['lineNumber']}:{frame['columnNumber']}"] += delta
    total = sum(spent.values()) / 1000 / KEYS_IN_BLOCK
    print(f"\nOwn script: {total:.2f} ms a key")
    for name, microseconds in spent.most_common(15):
        print(f"  {microseconds / 1000 / KEYS_IN_BLOCK:7.3f} ms  {name}")
    print()


def paste(context: BrowserContext, editor: str) -> None:
    """60 KB into an empty editor: the main thread's time until the text has been checked and marked."""
    text = text_of(PASTED_CHARS)
    costs = {}
    for name, origin in (("without", "https://elsewhere.test"), ("with", "https://chatgpt.com")):
        tab = Tab.open(context, editor, origin, "")
        tab.page.evaluate("""() => {
            window.__long = [];
            new PerformanceObserver((list) => __long.push(...list.getEntries().map((one) => one.duration)))
                .observe({ type: "longtask" });
        }""")
        tab.page.wait_for_timeout(500)
        before = tab.busy_ms()
        tab.session.send("Input.insertText", {"text": text})
        tab.page.wait_for_timeout(200)
        pasted = tab.busy_ms() - before
        if name == "with":
            tab.wait_for_marks(min(200, text.count("@")))
        tab.page.wait_for_timeout(500)
        costs[name] = (pasted, tab.busy_ms() - before, tab.page.evaluate("() => Math.max(0, ...__long)"))
        tab.page.close()
    (paste_off, _, long_off), (paste_on, all_on, long_on) = costs["without"], costs["with"]
    print(
        f"| {editor} | {len(text)} | {paste_off:.0f} | {paste_on:.0f} | {all_on:.0f} "
        f"| {long_off:.0f} | {long_on:.0f} |",
        flush=True,
    )


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


def measure(context: BrowserContext, asked: argparse.Namespace) -> None:
    print("Processor time of the page's main thread, ms a key (p50 / p95)\n")
    print("| editor | characters | marks | without | with | added at p50 | added at p95 | largest with |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for editor in asked.editor:
        for characters in asked.size:
            compare(context, editor, characters, asked.profile)
    if asked.profile:
        return
    print("\nPaste of 60 KB, processor ms; the longest task by the clock\n")
    print("| editor | characters | without | with | with, until all is marked | longest without | with |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for editor in asked.editor:
        paste(context, editor)
    found = delays(context.new_page())
    print(
        f"\nMark seen after the last key (300 ms of them waiting): p50 {statistics.median(found):.0f} ms, "
        f"p95 {percentile(found, 0.95):.0f} ms, n = {len(found)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--editor", nargs="+", default=EDITORS)
    parser.add_argument("--size", nargs="+", type=int, default=SIZES)
    parser.add_argument("--profile", action="store_true", help="Say where the extension spends its time.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        extension = build_extension(folder / "extension", port) / "chromium"
        daemon = DaemonProcess(folder / "daemon", port)
        daemon.start()
        try:
            context = Chromium(playwright, extension, build_pages(), folder / "profile").launch()
            connect(context, daemon)
            measure(context, asked)
            context.close()
        finally:
            daemon.stop()


if __name__ == "__main__":
    main()
