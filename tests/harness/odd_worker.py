"""The real worker process with a detector that can be told to misbehave. Run as a program."""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness.small_detector import SmallDetector
from limen_daemon.detector.protocol import Detection
from limen_daemon.detector_loading import Loaded
from limen_daemon.errors import InputError
from limen_daemon.lanes import worker


class OddDetector(SmallDetector):
    def detect(self, text: str, *, context: str | None = None) -> Detection:
        order, _, argument = text.partition(" ")
        if order == "hang":
            time.sleep(600)
        elif order == "crash":
            os._exit(11)
        elif order == "segfault":
            os.kill(os.getpid(), 11)
        elif order == "raise":
            raise RuntimeError(text)
        elif order == "unusable":
            raise InputError(text)
        elif order == "print":
            print(text, flush=True)
            os.write(1, text.encode())
        elif order == "connect":
            socket.create_connection(("127.0.0.1", int(argument)), timeout=5)
        elif order == "native-connect":
            return super().detect("a 1 year old" if _native_connect(int(argument)) else "unreachable")
        elif order == "write":
            Path(argument).write_text(text, encoding="utf-8")
        elif order == "start":
            os.system("true")
        return super().detect(text, context=context)


def _native_connect(port: int) -> bool:
    """Connect below Python, where no audit hook sees it."""
    import ctypes
    import struct

    libc = ctypes.CDLL(None)
    descriptor = libc.socket(2, 1, 0)
    address = struct.pack("=H", 2) + struct.pack(">H", port) + bytes([127, 0, 0, 1]) + bytes(8)
    return bool(libc.connect(descriptor, address, len(address)) == 0)


def load(name: str | None, *, device: str, threads: int) -> Loaded:
    if name == "none":
        return Loaded(None, "there is no such model")
    if name == "dies":
        os._exit(3)
    return Loaded(OddDetector())


if __name__ == "__main__":
    worker.load_best = load
    worker.main()
