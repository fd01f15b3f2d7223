"""The real daemon as a program of its own, with its own state folder and port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

COMMAND = [sys.executable, "-m", "limen_daemon"]
PATIENCE_S = 120


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@dataclass
class DaemonProcess:
    """`limen up` on `port`. `start` waits until it listens; `stop` may be called any number of times."""

    folder: Path
    port: int
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LIMEN_")}
        return {
            **kept,
            "LIMEN_STATE_DIR": str(self.folder / "state"),
            "LIMEN_PROFILE_DIR": str(self.folder / "profile"),
            "LIMEN_PORT": str(self.port),
            "HOME": str(self.folder),
        }

    def limen(self, *arguments: str, typed: str = "") -> str:
        """Runs a `limen` command beside the daemon and returns what it prints."""
        done = subprocess.run(
            [*COMMAND, *arguments],
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def pairing(self, *, says_yes: bool = False) -> Iterator[str]:
        """`limen pair` waiting in a terminal; gives the code it shows.

        `says_yes`: the user allows an extension whose id Limen does not know, as Firefox's.
        """
        terminal = subprocess.Popen(
            [*COMMAND, "pair"],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert terminal.stdin is not None and terminal.stdout is not None
        with terminal:
            if says_yes:
                terminal.stdin.write("y\n")
                terminal.stdin.flush()
            try:
                yield terminal.stdout.readline().removeprefix("Code: ").strip()
            finally:
                if terminal.poll() is None:
                    terminal.terminate()

    def start(self) -> None:
        process = subprocess.Popen(
            [*COMMAND, "up"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._process = process
        assert process.stderr is not None
        said = ""
        for line in process.stderr:
            said += line
            if "listens on" in line:
                break
        else:
            self._process = None
            process.stderr.close()
            raise AssertionError(f"the daemon ended with {process.wait()}: {said}")
        # Nobody reads what it says from here on; a full pipe would stop it.
        threading.Thread(target=_drain, args=(process,), daemon=True).start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It hangs: connections are taken, nothing is answered."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _drain(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    with process.stderr as lines:
        for _ in lines:
            pass
