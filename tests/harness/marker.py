"""Runs tests with a marker in every text that a daemon gets, at DEBUG, and looks where the marker went:
`make security-marker`, or `python -m harness.marker [PYTEST_ARGS]` in the folder `tests`. Linux.

Looked at: every file the tests leave (logs, databases and their journals, temporary files, cores), files in
the temporary folder while they are there, what the programs print, and, all the while, the arguments and the
environment of every process. Without arguments all tests that start a daemon run.
"""

from __future__ import annotations

import os
import resource
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from harness.marked_limen import OUTPUT
from harness.weaving import SEED, forms_of, marker_of
from limen_daemon.detector.onnx import OnnxDetector
from limen_daemon.models.folders import DEFAULT_MODEL, shipped_folder

ROOT = Path(__file__).resolve().parents[2]
ALL = ("security", "daemon", "cli", "browser", "profiles/test_commands.py", "profiles/test_control.py")
WATCH_EVERY_S = 0.1
MOST_SEEDS = 1000
PROBES = (
    "my 3 year old repeats syllables twice and I'm worried",
    "is it normal that my 3 year old repeats syllables twice?",
    "I live in Leeds and my 3 year old too",
    "I'm a teacher in China, majoring in computer science. I will go back home to London.",
    "我妈72了，左膝置换以后下楼梯还是疼",
    "我在上海当老师",
)
"""What tests type and wait for marks in."""


@dataclass
class Search:
    """Where the marker was seen. `files`, `processes`: how many were looked at."""

    forms: Mapping[str, bytes]
    found: set[str] = field(default_factory=set)
    files: int = 0
    bytes_read: int = 0
    processes: set[str] = field(default_factory=set)

    def file(self, path: Path) -> None:
        with suppress(OSError):
            if not path.is_file() or path.is_symlink():
                return
            self.files += 1
            self._bytes(path.read_bytes() + b"\n" + str(path).encode(), str(path))

    def folder(self, folder: Path) -> None:
        for path in folder.rglob("*"):
            self.file(path)

    def process_list(self) -> None:
        for process in Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            for name in ("cmdline", "environ"):
                with suppress(OSError):  # it has ended, or hides itself
                    content = (process / name).read_bytes()
                    self.processes.add(process.name)
                    self._bytes(content, f"{name} of a process: {content[:60]!r}")

    def _bytes(self, content: bytes, where: str) -> None:
        self.bytes_read += len(content)
        for name, form in self.forms.items():
            if form in content:
                self.found.add(f"{where} ({name})")


def watch(search: Search, temporary: Path, stop: threading.Event) -> None:
    """Processes, and temporary files that will be gone at the end."""
    seen: dict[Path, float] = {}
    while not stop.wait(WATCH_EVERY_S):
        search.process_list()
        for path, changed in _changes(temporary):
            if seen.get(path) != changed:
                seen[path] = changed
                search.file(path)


def _changes(folder: Path) -> Iterator[tuple[Path, float]]:
    for path in folder.iterdir():
        with suppress(OSError):
            yield path, path.stat().st_mtime


def _allow_cores() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def cores() -> set[Path]:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    folders = [ROOT, ROOT / "tests"] + ([Path(pattern).parent] if pattern.startswith("/") else [])
    return {path for folder in folders for path in folder.glob("core*") if path.is_file()}


def seed_that_moves_nothing() -> str:
    """A random seed whose marker leaves what the shipped detector finds in the tests' sentences as it is: the
    words that follow a sentence otherwise change it now and then, and tests that wait for its marks fail."""
    detector = OnnxDetector(shipped_folder() / DEFAULT_MODEL, device="cpu")

    def found(text: str) -> list[tuple[int, int]]:
        return [(one.start, one.end) for one in detector.detect(text).findings]

    before = {text: found(text) for text in PROBES}
    for _ in range(MOST_SEEDS):
        seed = secrets.token_hex(8)
        marker = marker_of(seed)
        if all(found(f"{text} {marker}") == spans for text, spans in before.items()):
            return seed
    raise RuntimeError(f"none of {MOST_SEEDS} markers leaves the detector's findings alone")


def run(arguments: list[str], **more: str) -> int:
    """0: the tests passed and the marker was nowhere; 1: it was somewhere; 2: a test failed, or none ran."""
    seed = seed_that_moves_nothing()
    search = Search(forms_of(marker_of(seed)))
    with tempfile.TemporaryDirectory(prefix="limen-marker-") as name:
        folder = Path(name)
        for part in ("temporary", "output"):
            (folder / part).mkdir()
        environment = {
            **os.environ,
            SEED: seed,
            OUTPUT: str(folder / "output"),
            "TMPDIR": str(folder / "temporary"),
            "PYTHONPATH": str(ROOT / "tests"),
            **more,
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "harness.marker_plugin",
            "-p",
            "no:cacheprovider",
        ]
        command += [
            "-p",
            "no:cacheprovider",
            "--basetemp",
            str(folder / "tests"),
            "-o",
            "tmp_path_retention_policy=all",
        ]
        stop = threading.Event()
        watcher = threading.Thread(target=watch, args=(search, folder / "temporary", stop))
        before = cores()
        watcher.start()
        try:
            code = subprocess.run(
                [*command, *arguments],
                cwd=ROOT,
                env=environment,
                preexec_fn=_allow_cores,
                check=False,
            ).returncode
        finally:
            stop.set()
            watcher.join()
        search.folder(folder)
        new_cores = cores() - before
        for core in new_cores:
            search.file(core)
        logs = [path for path in folder.rglob("*.log") if path.stat().st_size]
    print(
        f"marker: {search.files} files ({search.bytes_read / 1e6:.0f} MB read), {len(logs)} logs, "
        f"{len(search.processes)} processes, {len(new_cores)} cores: "
        f"seen in {len(search.found)} places"
    )
    for place in sorted(search.found)[:50]:
        print(f"  {place}")
    if search.found:
        return 1
    return 2 if code or not logs else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:] or [f"tests/{part}" for part in ALL]))
