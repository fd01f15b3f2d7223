"""The command line's end of the control socket. Blocking."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ValidationError

from limen_daemon.errors import ConfigError, LimenError
from limen_daemon.pairing.control import SOCKET_NAME, is_same_user
from limen_daemon.pairing.messages import EVENT, Ask, Closed, Opened, PairingLine, Removed, line

PATIENCE_S = 200.0


class DaemonDown(LimenError):
    code = "daemon_down"


class Control:
    """A conversation with the running daemon."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._lines = sock.makefile("rb")

    def say(self, message: BaseModel) -> None:
        self._sock.sendall(line(message))

    def events(self) -> Iterator[Opened | Ask | PairingLine | Closed | Removed]:
        """Until the daemon ends the conversation. Raises: `DaemonDown` when it says what makes no sense."""
        for data in self._lines:
            try:
                yield EVENT.validate_json(data)
            except ValidationError:
                raise DaemonDown("the daemon is of another version. Start it again: limen up") from None


@contextmanager
def control(state_dir: Path) -> Iterator[Control]:
    """Connect to the daemon of this state folder. Raises: `DaemonDown`, `ConfigError`."""
    if not hasattr(socket, "AF_UNIX"):
        raise ConfigError("pairing needs Unix sockets, which this system does not offer.")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(PATIENCE_S)
        try:
            sock.connect(str(state_dir / SOCKET_NAME))
        except OSError:
            raise DaemonDown("the daemon is not running. Start it: limen up") from None
        if not is_same_user(sock):
            raise DaemonDown("the control socket belongs to another user")
        yield Control(sock)
