"""The key in this process only: the profile is forgotten when the process ends."""

from __future__ import annotations

from limen_profiles.keys.holder import HolderKind, Slot


class MemoryHolder:
    def __init__(self) -> None:
        self._keys: dict[Slot, bytes] = {}

    @property
    def kind(self) -> HolderKind:
        return "memory"

    def load(self, slot: Slot) -> bytes | None:
        return self._keys.get(slot)

    def store(self, slot: Slot, key: bytes) -> None:
        self._keys[slot] = key

    def delete(self, slot: Slot) -> None:
        self._keys.pop(slot, None)
