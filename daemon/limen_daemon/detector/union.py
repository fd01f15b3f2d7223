"""The model in union with the deterministic recognizers.

A recognizer is never overruled: its spans stand exactly, a model span that overlaps one is trimmed to what
lies outside it or dropped. Typed text can therefore add findings at most; it cannot argue a secret away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limen_daemon.detector.protocol import Detection, Detector, DetectorInfo, Encoder
from limen_daemon.detector.spans import join_seams, tells, trim, whole_words, within_paragraph
from limen_daemon.errors import DetectorError
from limen_daemon.findings import Category, Finding, Subject
from limen_daemon.information.sentences import sentence
from limen_daemon.recognizers.fences import fences, in_code
from limen_daemon.recognizers.protocol import Owner
from limen_daemon.recognizers.recognition import Recognized, owned, recognize
from limen_daemon.recognizers.silent import silent_spans

PATTERNS_INFO = DetectorInfo(id="limen-patterns-1", format="patterns", device="cpu", languages=("*",))


class UnionDetector:
    """A detector made of a model (or none) and the recognizers (unless `patterns` is off).

    A model that fails leaves the patterns' findings with `checked_by="patterns"`. Only when nothing
    could check the text does `detect` raise `DetectorError`. As thread-safe as its model.
    """

    def __init__(self, model: Detector | None, *, patterns: bool = True) -> None:
        if model is None and not patterns:
            raise DetectorError("no detector: the model is missing and the patterns are switched off")
        self._model = model
        self._patterns = patterns

    @property
    def info(self) -> DetectorInfo:
        return self._model.info if self._model is not None else PATTERNS_INFO

    @property
    def model(self) -> Detector | None:
        """The model behind it, if there is one."""
        return self._model

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        recognized = recognize(text) if self._patterns else ()
        found = self._detect_by_model(text, context)
        if found is None:
            return Detection(
                findings=tuple(item.finding for item in recognized),
                leak_score=_leak_score(item.finding for item in recognized),
                checked_by="patterns",
            )
        findings = merge(text, found.findings, recognized, restate=self.info.format == "onnx")
        leak_score = max(found.leak_score, _leak_score(item.finding for item in recognized))
        return Detection(findings=findings, leak_score=leak_score, checked_by="model")

    def close(self) -> None:
        if self._model is not None:
            self._model.close()

    def _detect_by_model(self, text: str, context: str | None) -> Detection | None:
        if self._model is None:
            return None
        try:
            return self._model.detect(text, context=context)
        except DetectorError:
            if not self._patterns:
                raise
            return None


def encoder_of(detector: Detector) -> Encoder | None:
    """What gives sentence vectors behind `detector`; None for patterns, GGUF, and files without them."""
    model = detector.model if isinstance(detector, UnionDetector) else detector
    return model if isinstance(model, Encoder) and model.has_vectors else None


def merge(
    text: str, model_findings: Sequence[Finding], recognized: Sequence[Recognized], *, restate: bool = True
) -> tuple[Finding, ...]:
    """One sorted list without overlaps. `restate`: write every model finding's sentence anew."""
    blocks = fences(text)
    claimed = sorted([*((item.finding.start, item.finding.end) for item in recognized), *silent_spans(text)])
    grown = [whole_words(text, within_paragraph(text, finding)) for finding in model_findings]
    kept: list[Finding] = []
    for finding in join_seams(text, grown):
        if tells(finding) and not in_code(text, finding.start, finding.end, blocks):
            kept.extend(trim(text, finding, claimed))
    restated = [
        _restated(text, finding) if restate or not finding.information else finding for finding in kept
    ]
    return tuple(
        sorted(
            [*restated, *(_claimed(text, item, model_findings) for item in recognized)],
            key=lambda finding: finding.start,
        )
    )


def _restated(text: str, finding: Finding) -> Finding:
    information = sentence(
        text, finding.start, finding.end, category=finding.category, subject=finding.subject
    )
    return finding.model_copy(update={"information": information})


def _claimed(text: str, item: Recognized, model_findings: Sequence[Finding]) -> Finding:
    """A pattern's finding; when no word says whose it is and the model marks it, it is the user's."""
    if item.owner is Owner.UNKNOWN:
        for other in model_findings:
            if other.start < item.finding.end and item.finding.start < other.end:
                owner = Owner.RELATED if other.subject is Subject.RELATED else Owner.USER
                return owned(text, item.match, owner).finding
    return item.finding


def warm_up() -> None:
    """Read the tables that load on first use, so that the first text is as fast as any."""
    recognize("my phone is 0151 1234567, my SSN is 000-00-0000, 我的电话13800138000")
    for text in ("I have a cat", "我有一只猫"):
        sentence(text, 0, len(text), category=Category.POSSESSION, subject=Subject.USER)


def _leak_score(findings: Iterable[Finding]) -> float:
    return max((finding.score for finding in findings if finding.tier != "others"), default=0.0)
