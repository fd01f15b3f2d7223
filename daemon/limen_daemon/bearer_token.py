"""The random token that the extension shows to the daemon."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from limen_daemon.errors import ConfigError
from limen_daemon.private_files import create_private, make_private_folder, read_private, replace_private

FILE_NAME = "token"
TOKEN_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def read_or_create_token(state_dir: Path) -> str:
    """The token kept in `state_dir`, made on first use: 43 characters, 256 bits. Blocking.

    Raises: `ConfigError` when the file is open to others or does not hold a token.
    """
    path = make_private_folder(state_dir) / FILE_NAME
    try:
        token = read_private(path).decode("ascii", "replace").strip()
    except FileNotFoundError:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        try:
            create_private(path, token.encode())
        except FileExistsError:  # another `limen` was faster
            return read_or_create_token(state_dir)
    if not _TOKEN.fullmatch(token):
        raise ConfigError(f"{path} does not hold a token. Run: limen token --new")
    return token


def replace_token(state_dir: Path) -> str:
    """Make a new token; the old one stops working when the daemon is started again. Blocking."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    replace_private(make_private_folder(state_dir) / FILE_NAME, token.encode())
    return token
