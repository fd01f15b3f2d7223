"""A detector that really reads its text: an age, and a card-like number. No model file needed."""

from __future__ import annotations

import re
import threading

from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.errors import DetectorError
from limen_daemon.findings import Category, Finding, Subject, Tier

_AGE = re.compile(r"\d{1,3} year old")
_SECRET = re.compile(r"sk-[a-z0-9]{8,}")


class SmallDetector:
    """Keeps the texts it was given. `gate`, when given, makes every call wait until it is set."""

    def __init__(self, gate: threading.Event | None = None) -> None:
        self.texts: list[str] = []
        self.is_closed = False
        self._gate = gate

    @property
    def info(self) -> DetectorInfo:
        return DetectorInfo(id="small-1", format="patterns", device="cpu", languages=("en",))

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        self.texts.append(text)
        if self._gate is not None and not self._gate.wait(30):
            raise DetectorError("the gate stayed shut")
        findings = [_finding(m, Category.AGE, "disclosure") for m in _AGE.finditer(text)]
        findings += [_finding(m, Category.CREDENTIAL, "secret") for m in _SECRET.finditer(text)]
        findings.sort(key=lambda finding: finding.start)
        return Detection(findings=tuple(findings), leak_score=0.9 if findings else 0.1, checked_by="patterns")

    def close(self) -> None:
        self.is_closed = True


class BrokenDetector(SmallDetector):
    """Fails in the worst way: with the typed text in its exception."""

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        self.texts.append(text)
        raise RuntimeError(f"cannot check {text}")


def _finding(match: re.Match[str], category: Category, tier: Tier) -> Finding:
    return Finding(
        start=match.start(),
        end=match.end(),
        phrase=match.group(),
        category=category,
        subject=Subject.RELATED if category is Category.AGE else Subject.USER,
        granularity=2,
        identifiability=2,
        score=0.8,
        information="An age." if category is Category.AGE else "A secret.",
        tier=tier,
        source="pattern",
    )
