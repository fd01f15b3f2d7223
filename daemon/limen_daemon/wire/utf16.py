"""The one place where offsets change units: Python counts code points, JavaScript UTF-16 units."""

from __future__ import annotations

from bisect import bisect_left

from limen_daemon.errors import InputError

_LAST_BMP = 0xFFFF


class Utf16Offsets:
    """Converts code-point offsets of one text into UTF-16 offsets."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        # isascii is a flag on the string: most texts end here without a scan.
        self._wide = (
            [] if text.isascii() else [i for i, character in enumerate(text) if ord(character) > _LAST_BMP]
        )

    def of(self, offset: int) -> int:
        """The UTF-16 offset of the code-point `offset`, 0 up to and including the text's length.

        Raises: `ValueError` for an offset outside the text.
        """
        if not 0 <= offset <= self._length:
            raise ValueError(f"offset {offset} is outside a text of {self._length} code points")
        return offset + bisect_left(self._wide, offset)

    def back(self, units: int) -> int:
        """The code-point offset of a UTF-16 offset.

        Raises: `ValueError` for an offset outside the text or inside a character.
        """
        # The n-th wide character stands n units further right than its index; those before `units` count.
        before = bisect_left(range(len(self._wide)), units, key=lambda n: self._wide[n] + n)
        offset = units - before
        if self.of(offset) != units:
            raise ValueError("the offset lies inside a character")
        return offset


def phrase_offsets(text: str, start: int, end: int) -> tuple[int, int]:
    """The code-point offsets of a phrase given in UTF-16 units.

    Raises: `InputError` where they do not lie in the text or the phrase is empty.
    """
    offsets = Utf16Offsets(text)
    try:
        found = offsets.back(start), offsets.back(end)
    except ValueError:
        raise InputError("the offsets do not lie in the text") from None
    if found[0] >= found[1]:
        raise InputError("the phrase is empty")
    return found
