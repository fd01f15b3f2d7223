"""The keys of a pairing in the real keyring of a Linux desktop, over logins and until it is unpaired."""

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
PYTHON = f'"{sys.executable}" '
PREPARE = """
import sys
from pathlib import Path
from limen_daemon.pairing.places import KeyringPlace
from limen_daemon.pairing.record import Pairing
from limen_daemon.pairing.store import PairingFile
ours = Pairing("k" * 16, "chrome-extension://" + "a" * 32, b"a" * 32, b"b" * 32, b"c" * 32)
store = PairingFile(Path(sys.argv[1]))
"""
ADD = (
    PREPARE
    + """
store.add(ours, label="Chrome on Linux", created_ms=1)
"""
)
SETTLE = (
    PREPARE
    + """
store.settle([KeyringPlace()])
(entry,) = store.all()
print("kept in", entry.kept_in, "and right" if store.find(ours.kid) == ours else "and lost")
"""
)
ITEM = (
    PREPARE
    + """
print("item", "there" if KeyringPlace().load(ours.kid) else "gone")
"""
)


def in_session(home: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run `script` in a desktop session of its own: its own home, message bus and runtime folder."""
    runtime = home / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
    return subprocess.run(
        ["dbus-run-session", "--", "bash", "-c", script],
        env={
            **kept,
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(runtime),
            "LIMEN_STATE_DIR": str(home / "state"),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def program(home: Path, name: str, source: str) -> str:
    """A command that runs `source` with the state folder as its argument."""
    path = home / f"{name}.py"
    path.write_text(source)
    return f'{PYTHON}"{path}" "$LIMEN_STATE_DIR"; '


def test_keys_move_from_the_file_into_the_keyring_and_go_with_the_pairing(tmp_path: Path) -> None:
    add, settle = program(tmp_path, "add", ADD), program(tmp_path, "settle", SETTLE)
    locked = in_session(tmp_path, add + settle)  # its prompt has no screen to be shown on
    assert locked.stdout.splitlines() == ["kept in file and right"], locked.stderr
    first = in_session(tmp_path, UNLOCKED + settle)
    assert first.stdout.splitlines() == ["kept in keyring and right"], first.stderr
    file = tmp_path / "state" / "pairings.json"
    assert '"secret": null' in file.read_text()

    second = in_session(tmp_path, UNLOCKED + settle)
    assert second.stdout.splitlines() == ["kept in keyring and right"], second.stderr

    item = program(tmp_path, "item", ITEM)
    third = in_session(tmp_path, f"{UNLOCKED}{item}{PYTHON}-m limen_daemon unpair --all; {item}")
    assert third.stdout.splitlines() == ["item there", "item gone"], third.stderr
    assert '"pairings": []' in file.read_text()
