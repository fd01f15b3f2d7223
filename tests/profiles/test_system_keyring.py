"""The real keyring of a Linux desktop (gnome-keyring on a D-Bus of its own), through the real command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PATIENCE_S = 180
pytestmark = pytest.mark.skipif(
    not (shutil.which("dbus-run-session") and shutil.which("gnome-keyring-daemon")),
    reason="needs dbus-run-session and gnome-keyring-daemon",
)

UNLOCKED = (
    'printf "login password" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null; '
)
LIMEN = f'"{sys.executable}" -m limen_daemon profile --folder "$HOME/profile" '


def in_session(home: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run `script` in a desktop session of its own: its own home, message bus and runtime folder."""
    runtime = home / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
    return subprocess.run(
        ["dbus-run-session", "--", "bash", "-c", script],
        env={**kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_key_is_kept_in_the_keyring_over_logins_and_erased_from_it(tmp_path: Path) -> None:
    first = in_session(tmp_path, UNLOCKED + LIMEN + "init")
    assert first.returncode == 0, first.stderr
    assert "keyring of your operating system" in first.stdout
    keyring = list((tmp_path / ".local/share/keyrings").glob("*.keyring"))
    assert keyring, "the key must be on disk, in the keyring's own encrypted file"

    second = in_session(tmp_path, f"{UNLOCKED}{LIMEN}show --status; {LIMEN}rotate; {LIMEN}show")
    assert "Profile: on\nKey: keyring" in second.stdout, second.stderr
    assert "The profile has a new key." in second.stdout
    assert "0 decisions" in second.stdout

    third = in_session(tmp_path, f"{UNLOCKED}{LIMEN}erase --confirm erase; {LIMEN}show")
    assert "The profile was erased." in third.stdout, third.stderr
    assert "could not be deleted" not in third.stdout
    assert third.returncode == 1 and "limen profile init" in third.stderr


def test_a_session_without_the_keyring_names_what_is_missing(tmp_path: Path) -> None:
    assert in_session(tmp_path, UNLOCKED + LIMEN + "init").returncode == 0
    before = (tmp_path / "profile" / "profile.db").read_bytes()
    shutil.rmtree(tmp_path / ".local/share/keyrings")
    without = in_session(tmp_path, UNLOCKED + LIMEN + "show")
    assert without.returncode == 78
    assert "its key is missing" in without.stderr
    assert (tmp_path / "profile" / "profile.db").read_bytes() == before
