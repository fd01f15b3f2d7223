"""Every line of the collected bug reports: what the patterns promise, what the shipped model does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from harness.reports import REPORTS, Report
from limen_daemon.detector import Detection, Detector, load_detector
from limen_daemon.findings import Category, Finding
from limen_daemon.wire.utf16 import Utf16Offsets

# Lines that the shipped model does not do in full yet. They are listed with what it found, not passed.
KNOWN_GAPS = {1, 7, 11}
WHOLE = [report for report in REPORTS if report.line not in KNOWN_GAPS]
GAPS = [report for report in REPORTS if report.line in KNOWN_GAPS]


def _line(report: Report) -> str:
    return f"line{report.line}"


@pytest.fixture(scope="module")
def patterns() -> Iterator[Detector]:
    detector = load_detector("patterns")
    yield detector
    detector.close()


@pytest.fixture(scope="module")
def shipped() -> Iterator[Detector]:
    detector = load_detector()
    yield detector
    detector.close()


def touching(detection: Detection, text: str, phrase: str) -> list[Finding]:
    start = text.index(phrase)
    return [item for item in detection.findings if item.start < start + len(phrase) and start < item.end]


def assert_offsets_hold(detection: Detection, text: str) -> None:
    """Sorted, disjoint, at word ends, and the same phrases in UTF-16 code units."""
    position = 0
    units = text.encode("utf-16-le")
    offsets = Utf16Offsets(text)
    for finding in detection.findings:
        assert position <= finding.start < finding.end <= len(text)
        assert text[finding.start : finding.end] == finding.phrase
        assert not re.match(r"[A-Za-z]{2}|[0-9]{2}", text[finding.start - 1 : finding.start + 1])
        assert not re.match(r"[A-Za-z]{2}|[0-9]{2}", text[finding.end - 1 : finding.end + 1])
        start, end = offsets.of(finding.start), offsets.of(finding.end)
        assert units[2 * start : 2 * end].decode("utf-16-le") == finding.phrase
        position = finding.end


@pytest.mark.parametrize("report", REPORTS, ids=_line)
def test_patterns_alone_find_the_values_exactly_and_touch_nothing_else(
    patterns: Detector, report: Report
) -> None:
    detection = patterns.detect(report.text)
    found = {item.phrase: item.tier for item in detection.findings}
    assert {phrase: found.get(phrase) for phrase in report.by_patterns} == report.by_patterns
    assert [phrase for phrase in report.silent if touching(detection, report.text, phrase)] == []
    assert_offsets_hold(detection, report.text)


@pytest.mark.parametrize("report", [item for item in REPORTS if len(item.text) < 5000], ids=_line)
def test_the_model_never_moves_or_removes_what_patterns_found(shipped: Detector, report: Report) -> None:
    found = {item.phrase for item in shipped.detect(report.text).findings if item.source == "pattern"}
    assert set(report.by_patterns) <= found


@pytest.mark.parametrize("report", WHOLE, ids=_line)
def test_the_shipped_detector_marks_all_and_only_what_it_should(shipped: Detector, report: Report) -> None:
    detection = shipped.detect(report.text)
    assert detection.checked_by == "model"
    wanted = (*report.by_patterns, *report.by_model)
    assert [phrase for phrase in wanted if not touching(detection, report.text, phrase)] == []
    assert [phrase for phrase in report.silent if touching(detection, report.text, phrase)] == []
    assert_offsets_hold(detection, report.text)


@pytest.mark.parametrize("report", GAPS, ids=_line)
def test_a_known_gap_is_recorded_with_what_is_found(
    shipped: Detector, report: Report, record_property: pytest.RecordProperty
) -> None:
    """Claims only sound offsets; missed phrases and false alarms go into the test report as properties."""
    detection = shipped.detect(report.text)
    assert_offsets_hold(detection, report.text)
    wanted = (*report.by_patterns, *report.by_model)
    missed = [phrase for phrase in wanted if not touching(detection, report.text, phrase)]
    false_alarms = [phrase for phrase in report.silent if touching(detection, report.text, phrase)]
    record_property("missed", missed)
    record_property("false_alarms", false_alarms)


def test_an_implied_disclosure_is_never_taken_for_an_identifier(shipped: Detector) -> None:
    (report,) = (item for item in REPORTS if item.line == 17)
    kinds = {item.category for item in shipped.detect(report.text).findings}
    assert not kinds & {Category.NAME, Category.IDENTIFIER, Category.CONTACT, Category.CREDENTIAL}


def test_placeholders_in_a_text_are_left_alone(patterns: Detector) -> None:
    assert patterns.detect("Dear [NAME_1], we use HTTP_2 and [EMAIL_3] here.").findings == ()
