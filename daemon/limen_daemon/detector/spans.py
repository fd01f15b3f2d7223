"""Work on the spans of findings: whole words, seams joined, overlaps trimmed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from limen_daemon.findings import Finding

_LATIN_WORD = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ɏ]")
_EDGE = " \t\r\n,;:.!?()[]{}\"'“”‘’|/<>-，。；：！？、（）《》「」"
_FILLERS = frozenset(
    "a an and or the is are was at on in of to my our me i from by with und an am ist 是 的 和 在 我".split()
)


def whole_words(text: str, finding: Finding) -> Finding:
    """The finding grown to word boundaries where it begins or ends inside a Latin word or a number."""
    start, end = finding.start, finding.end
    while 0 < start < end and _inside_word(text, start):
        start -= 1
    while end < len(text) and _inside_word(text, end):
        end += 1
    return _moved(text, finding, start, end)


def join_seams(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Findings sorted, overlaps removed; two that touch and say the same kind of thing become one."""
    joined: list[Finding] = []
    for finding in sorted(findings, key=lambda item: (item.start, -item.end)):
        if not joined or finding.start > joined[-1].end:
            joined.append(finding)
            continue
        last = joined[-1]
        if finding.end <= last.end:
            continue
        alike = (finding.category, finding.subject) == (last.category, last.subject)
        if finding.start < last.end or alike:
            score = max(last.score, finding.score)
            joined[-1] = _moved(text, last, last.start, finding.end).model_copy(update={"score": score})
        else:
            joined.append(finding)
    return joined


def trim(text: str, finding: Finding, taken: Sequence[tuple[int, int]]) -> list[Finding]:
    """What of the finding lies outside the `taken` spans (sorted), where that still says something."""
    pieces: list[tuple[int, int]] = []
    position = finding.start
    overlapped = False
    for start, end in taken:
        if end <= position or start >= finding.end:
            continue
        overlapped = True
        pieces.append((position, start))
        position = end
    if not overlapped:
        return [finding]
    pieces.append((position, finding.end))
    return [_moved(text, finding, *bare) for piece in pieces if (bare := _bare(text, *piece)) is not None]


def _inside_word(text: str, position: int) -> bool:
    return bool(_LATIN_WORD.match(text[position - 1]) and _LATIN_WORD.match(text[position]))


def _bare(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The piece without punctuation at its edges; None when only filler words are left."""
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    words = re.findall(r"[0-9A-Za-zÀ-ɏ]+|[\u4e00-\u9fff]", text[start:end])
    telling = [word for word in words if word.lower() not in _FILLERS]
    return (start, end) if sum(map(len, telling)) >= 3 else None


def _moved(text: str, finding: Finding, start: int, end: int) -> Finding:
    if (start, end) == (finding.start, finding.end):
        return finding
    return finding.model_copy(update={"start": start, "end": end, "phrase": text[start:end]})
