"""The pasted token of earlier versions: nothing accepts it any more, so it is not left lying about."""

from __future__ import annotations

from pathlib import Path

FILE_NAME = "token"


def delete_old_token(state_dir: Path) -> bool:
    """Delete the token file of an earlier version, if there is one. Whether there was. Blocking.

    A link is removed, not what it leads to. One that cannot be deleted stays: it opens nothing.
    """
    try:
        (state_dir / FILE_NAME).unlink()
    except OSError:
        return False
    return True
