"""Where the profile lives: one private folder, holding only files that are useless without the key."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True)
class ProfilePaths:
    """The files of one profile. `folder` is 0700, every file in it 0600.

    The key is never among them in clear: it is in the keyring of the operating system, wrapped under
    a passphrase (`wrapped_key`), in a key file that lies elsewhere, or in memory only.
    """

    folder: Path

    @classmethod
    def default(cls) -> ProfilePaths:
        """The folder of this user's profile, by the rules of the operating system."""
        return cls(platformdirs.user_data_path("limen", appauthor=False) / "profile")

    @property
    def database(self) -> Path:
        return self.folder / "profile.db"

    @property
    def identity(self) -> Path:
        """Which profile this is and who holds its key: nothing secret."""
        return self.folder / "identity.json"

    @property
    def lock(self) -> Path:
        return self.folder / "profile.lock"

    @property
    def wrapped_key(self) -> Path:
        return self.folder / "wrapped-key.json"

    @property
    def turned_off(self) -> Path:
        """Left by `erase`: a new profile is then started only when the user asks for one."""
        return self.folder / "turned-off"

    @property
    def default_key_file(self) -> Path:
        """A sibling of the folder, used when `--key-file` is given without a path of one's own."""
        return self.folder.parent / "keys" / "profile.key"

    @property
    def control_socket(self) -> Path:
        """Where a running daemon can be asked for what only it can do while it holds the profile."""
        return self.folder / "control.sock"

    @property
    def control_key(self) -> Path:
        """Proves to the daemon that the caller may read this folder; made anew at every start."""
        return self.folder / "control.key"

    def database_files(self) -> list[Path]:
        """The database with everything SQLite may have put beside it."""
        return [self.database.with_name(self.database.name + end) for end in ("", "-wal", "-shm", "-journal")]
