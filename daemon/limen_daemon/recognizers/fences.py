"""Fenced blocks in a message, and which of them hold program code."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[ \t]*([\w+#.-]{0,20})[^\n]*$", re.MULTILINE)
_PROSE = frozenset(
    {"text", "txt", "md", "markdown", "plain", "plaintext", "csv", "tsv", "email", "eml", "letter"}
)
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*(?:def|class|import|from\s+\S+\s+import|return|if\s*\(|for\s*\(|while\s*\(|function|const|let|var"
    r"|public|private|static|#include|package|using|SELECT|INSERT|UPDATE|CREATE|@\w+|</?\w+)"
    r"|^\s*[\w.\[\]]+\s*(?::\s*\w+\s*)?[+*/-]?=[^=]|\w\([^)]*\)\s*:?\s*$|=>|->|::"
)
_COMMENT = re.compile(r"(?:^|\s)(?:#(?!include)|//|--\s|/\*|<!--|%\s|;;)|^\s*\*\s")


@dataclass(frozen=True, slots=True)
class Fence:
    """The inside of a fenced block, `[start, end)` in code points, without the fence lines."""

    start: int
    end: int
    is_code: bool


def fences(text: str) -> list[Fence]:
    """All fenced blocks in order. A fence that is never closed runs to the end of the text."""
    if "```" not in text and "~~~" not in text:
        return []
    found: list[Fence] = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark
        elif mark.group(1)[0] == opened.group(1)[0] and len(mark.group(1)) >= len(opened.group(1)):
            found.append(_fence(text, opened, mark.start()))
            opened = None
    if opened is not None:
        found.append(_fence(text, opened, len(text)))
    return found


def in_code(text: str, start: int, end: int, blocks: list[Fence]) -> bool:
    """Whether the span lies in program code, and not in one of its comments (those are prose)."""
    for block in blocks:
        if block.is_code and block.start <= start and end <= block.end:
            line_start = text.rfind("\n", 0, start) + 1
            return _COMMENT.search(text[line_start:start]) is None
    return False


def _fence(text: str, opened: re.Match[str], end: int) -> Fence:
    start = min(opened.end() + 1, len(text))
    language = opened.group(2).lower()
    is_code = language not in _PROSE and _looks_like_code(text[start:end])
    return Fence(start, max(start, end), is_code)


def _looks_like_code(body: str) -> bool:
    lines = [line for line in body.split("\n")[:200] if line.strip()]
    if not lines:
        return False
    return sum(_CODE_LINE.search(line[:300]) is not None for line in lines) * 2 >= len(lines)
