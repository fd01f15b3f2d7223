"""Where the command line finds the running daemon, and how both ends prove that they may read its folder.

A Unix socket in the state folder; on Windows a named pipe, whose name anyone could take first and whose
default access list lets others open it. So nothing is said before each end has shown that it has the key that
lies in the folder (0600 in 0700), made anew at every start: three lines, the caller's nonce, the daemon's
nonce with its proof, the caller's proof.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sys
from pathlib import Path
from typing import Literal

from limen_daemon.errors import ConfigError
from limen_daemon.private_files import read_private, replace_private

SOCKET_NAME = "control.sock"
KEY_NAME = "control.key"
KEY_BYTES = 32
NONCE_BYTES = 32
PROOF_BYTES = 32
Role = Literal["daemon", "caller"]


def socket_path(state_dir: Path) -> Path:
    return state_dir / SOCKET_NAME


def pipe_name(state_dir: Path) -> str:
    """Another for each state folder, and so for each user."""
    digest = hashlib.sha256(str(state_dir.resolve()).encode()).hexdigest()[:32]
    return rf"\\.\pipe\limen-control-{digest}"


def address(state_dir: Path, platform: str = sys.platform) -> str:
    """What is listened on: a pipe's name on Windows, a path elsewhere."""
    return pipe_name(state_dir) if platform == "win32" else str(socket_path(state_dir))


def new_key(state_dir: Path) -> bytes:
    """The key of this run of the daemon, written where only its user can read it. Blocking."""
    key = secrets.token_bytes(KEY_BYTES)
    replace_private(state_dir / KEY_NAME, key)
    return key


def read_key(state_dir: Path) -> bytes | None:
    """None where no daemon runs or ran. Blocking. Raises: `ConfigError` when others may read it."""
    try:
        key = read_private(state_dir / KEY_NAME)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(key) != KEY_BYTES:
        raise ConfigError(f"{state_dir / KEY_NAME} is damaged. Start the daemon again: limen up")
    return key


def new_nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def proof(key: bytes, role: Role, caller_nonce: bytes, daemon_nonce: bytes) -> bytes:
    """What shows that `role` has the key; another for every conversation and each end."""
    said = b"limen control|" + role.encode() + b"|" + caller_nonce + daemon_nonce
    return hmac.digest(key, said, "sha256")


def is_proof(shown: bytes, key: bytes, role: Role, caller_nonce: bytes, daemon_nonce: bytes) -> bool:
    return hmac.compare_digest(shown, proof(key, role, caller_nonce, daemon_nonce))


def line(*parts: bytes) -> bytes:
    return b"".join(parts).hex().encode() + b"\n"


def unline(data: bytes, size: int) -> bytes | None:
    """The `size` bytes of a line, None when it is anything else."""
    if len(data) != 2 * size + 1 or not data.endswith(b"\n"):
        return None
    try:
        return bytes.fromhex(data[:-1].decode("ascii"))
    except ValueError:
        return None
