"""Where the profile's key is kept: the system's keyring, under a passphrase, in a key file, or in memory.

Never chosen silently: which holder a profile uses is written in its identity file when it is made.
"""

from limen_profiles.keys.holder import HolderKind, KeyHolder, Slot, new_key
from limen_profiles.keys.key_file import KeyFileHolder
from limen_profiles.keys.keyring_holder import KeyringHolder, find_keyring
from limen_profiles.keys.keyring_items import KeyringItems
from limen_profiles.keys.memory import MemoryHolder
from limen_profiles.keys.passphrase import PassphraseHolder

__all__ = [
    "HolderKind",
    "KeyFileHolder",
    "KeyHolder",
    "KeyringHolder",
    "KeyringItems",
    "MemoryHolder",
    "PassphraseHolder",
    "Slot",
    "find_keyring",
    "new_key",
]
