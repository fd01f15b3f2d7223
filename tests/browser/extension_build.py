"""Builds the extension for a test port, and the pages with the genuine editors."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXTENSION = ROOT / "extension"
PAGES = EXTENSION / "test-pages"
EXTENSION_ID = "nelfjnfdnekdpbmigecgomjlbhfbblnj"


def _npm(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        ["npm", *arguments], cwd=folder, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, f"npm {' '.join(arguments)} in {folder.name}: {done.stderr[-2000:]}"


def _install(folder: Path) -> None:
    stamp = folder / "node_modules" / ".package-lock.json"
    lock = folder / "package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        _npm(folder, "ci", "--no-audit", "--no-fund", "--loglevel=error")


def build_extension(out: Path, port: int, *options: str) -> Path:
    """Returns the folder that holds `chromium` and `firefox`."""
    if not (EXTENSION / "node_modules").exists():
        _install(EXTENSION)
    command = ["node", "build/build.mjs", "--out", str(out), "--port", str(port), *options]
    done = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return out


def build_pages() -> Path:
    """Returns the folder with `index.html`."""
    _install(PAGES)
    _npm(PAGES, "run", "--silent", "build")
    return PAGES / "dist"
