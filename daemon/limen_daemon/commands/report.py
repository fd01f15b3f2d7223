"""What `limen check` prints: the text with marks and a list of phrases, or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import click

from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.findings import Finding

_COLORS = {"disclosure": "yellow", "secret": "red", "others": "cyan"}
_WHOSE = {"user": "yours", "related": "someone close to you"}
# Terminal control codes in a text could forge the report; they are shown as signs (U+2400 block).
_CONTROL = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def json_report(
    detection: Detection | None,
    findings: Sequence[Finding],
    info: DetectorInfo | None = None,
    problem: str | None = None,
) -> str:
    """One JSON object. Offsets: `[start, end)` in code points; `problem`: why no model checked, or null."""
    return json.dumps(
        {
            "findings": [finding.model_dump(mode="json") for finding in findings],
            "leak_score": detection.leak_score if detection else 0.0,
            "checked_by": detection.checked_by if detection else "none",
            "detector": info.model_dump(mode="json") if info else None,
            "problem": problem,
        },
        ensure_ascii=False,
        indent=1,
    )


def plain_report(text: str, findings: Sequence[Finding], *, color: bool) -> str:
    """The text once, its phrases underlined (`[[phrase]]` without colours), then what each one tells."""
    lines = [_marked(text, findings, color).rstrip("\n"), ""]
    if not findings:
        lines.append("Nothing found that gives something away.")
    for finding in findings:
        phrase = " ".join(visible(finding.phrase).split())
        lines.append(f"  {_styled(phrase, finding, color)}")
        lines.append(f"    {' '.join(visible(finding.information).split())}")
        lines.append(f"    {_kind(finding)}")
    lines.append("")
    return "\n".join(lines)


def visible(text: str) -> str:
    """`text` with control characters replaced by visible signs; tabs and line feeds stay."""
    return _CONTROL.sub(lambda found: chr(0x2400 + ord(found[0])) if ord(found[0]) < 0x20 else "\ufffd", text)


def _marked(text: str, findings: Sequence[Finding], color: bool) -> str:
    parts, position = [], 0
    for finding in findings:
        parts.append(visible(text[position : finding.start]))
        phrase = visible(finding.phrase)
        parts.append(_styled(phrase, finding, color) if color else f"[[{phrase}]]")
        position = finding.end
    parts.append(visible(text[position:]))
    return "".join(parts)


def _styled(phrase: str, finding: Finding, color: bool) -> str:
    return click.style(phrase, fg=_COLORS[finding.tier], underline=True) if color else phrase


def _kind(finding: Finding) -> str:
    whose = "someone else's details" if finding.tier == "others" else _WHOSE[finding.subject.value]
    secret = ", secret" if finding.tier == "secret" else ""
    return f"{finding.category.value.replace('_', ' ')}, {whose}{secret}"
