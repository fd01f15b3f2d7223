"""Work on the spans of findings: whole words, seams joined, overlaps trimmed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from limen_daemon.findings import Finding

_LATIN_WORD = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ɏ]")
_FILLERS = frozenset(
    "a an and or the is are was were be been at on in of to my our your me we i you it its from by with as"
    " for that this will would shall should can could may might must do does did have has had not so but if"
    " und am ist"
    " der die das meine mein meiner meinem meinen lautet an bitte 是 的 和 在 我 为".split()
)
# What a value is called: nothing is left to say once the value itself has its own mark.
_LABELS = frozenset(
    "mobile mob tel phone telephone cell email e-mail mail number no nr id steuer steuer-id ssn iban card"
    " account key token api password passwort pwd user username address antwort reply contact"
    " 电话 手机 号码 邮箱 密码".split()
)
_WORD = re.compile(r"[0-9A-Za-zÀ-ɏ]+(?:-[0-9A-Za-zÀ-ɏ]+)*|[\u4e00-\u9fff]+")
_BLANK_LINE = re.compile(r"\r?\n[ \t]*\r?\n\s*")


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


def tells(finding: Finding) -> bool:
    """Whether any word of the finding is more than a filler or the bare name of a value ("my mobile")."""
    words = [found.group().lower() for found in _WORD.finditer(finding.phrase)]
    return any(word not in _FILLERS and word not in _LABELS for word in words) or not words


def within_paragraph(text: str, finding: Finding) -> Finding:
    """The finding cut to its longest piece between blank lines: no phrase goes over a paragraph's end."""
    pieces: list[tuple[int, int]] = []
    position = finding.start
    for gap in _BLANK_LINE.finditer(text, finding.start, finding.end):
        pieces.append((position, gap.start()))
        position = gap.end()
    if not pieces:
        return finding
    pieces.append((position, finding.end))
    start, end = max(pieces, key=lambda piece: piece[1] - piece[0])
    return _moved(text, finding, start, end) if start < end else finding


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
    """The piece without punctuation and filler words at its edges; None when too little is left to tell."""
    words = list(_WORD.finditer(text, start, end))
    while words and words[0].group().lower() in _FILLERS:
        words.pop(0)
    while words and words[-1].group().lower() in _FILLERS:
        words.pop()
    telling = [found.group() for found in words if found.group().lower() not in _FILLERS | _LABELS]
    han = sum(len(word) for word in telling if word >= "\u4e00")
    if not telling or (len(telling) < 2 and han < 3):
        return None
    return words[0].start(), words[-1].end()


def _moved(text: str, finding: Finding, start: int, end: int) -> Finding:
    if (start, end) == (finding.start, finding.end):
        return finding
    return finding.model_copy(update={"start": start, "end": end, "phrase": text[start:end]})
