"""What the process gives up at start, so that less can leak from it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Mapping
from typing import Any

from limen_daemon.errors import ConfigError

REFUSED_VARIABLES = ("PYTHONASYNCIODEBUG", "PYTHONDEVMODE", "AIOHTTP_NO_EXTENSIONS")
"""Debug switches that print arguments, and with them typed text, or that swap the HTTP parser."""

_PR_SET_DUMPABLE = 4
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_LOOPBACK = ("127.0.0.1", "::1")
_LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def refuse_debug_switches(environ: Mapping[str, str]) -> None:
    """Raises: `ConfigError` when a debug switch is on."""
    found = [name for name in REFUSED_VARIABLES if environ.get(name)]
    if found:
        raise ConfigError(f"{', '.join(found)} would let typed text into logs. Unset it and start again.")
    if sys.flags.dev_mode:
        raise ConfigError("`python -X dev` would let typed text into logs. Start without it.")


def harden() -> None:
    """Private files from now on, no core dump, no reading of our memory by other processes."""
    os.umask(0o077)
    forbid_dumps()


def forbid_dumps() -> None:
    """No core file; on Linux also no ptrace and no `/proc/<pid>/mem` for processes of the same user."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def leave_the_network() -> bool:
    """Move this process into a network of its own that leads nowhere. Whether the system allowed it."""
    if sys.platform != "linux":
        return False
    with contextlib.suppress(AttributeError, OSError):
        libc = ctypes.CDLL(None, use_errno=True)
        return bool(libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0)
    return False


def forbid_egress() -> None:
    """From now on this process connects to nothing but loopback and local sockets. Cannot be undone."""
    sys.addaudithook(_refuse_egress)


def _refuse_egress(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        # A tuple is an internet address; a path is a local socket (the keyring's D-Bus).
        if isinstance(address, tuple) and address[0] not in _LOOPBACK:
            raise PermissionError("Limen connects to no other computer")
    elif event in _LOOKUPS and args[0] not in (None, *_LOOPBACK):
        raise PermissionError("Limen looks up no names")
