"""Model and recognizers together: overlaps, seams, code, failures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limen_daemon.detector import Detection, DetectorInfo, load_detector
from limen_daemon.detector.union import UnionDetector, merge
from limen_daemon.errors import DetectorError
from limen_daemon.findings import Category, Finding, Subject
from limen_daemon.recognizers.recognition import recognize


def marked(
    text: str, phrase: str, category: Category = Category.ACTIVITY, *, subject: Subject = Subject.USER
) -> Finding:
    start = text.index(phrase)
    return Finding(
        start=start,
        end=start + len(phrase),
        phrase=phrase,
        category=category,
        subject=subject,
        granularity=2,
        identifiability=1,
        score=0.8,
        information="",
    )


def phrases(text: str, *findings: Finding) -> list[str]:
    return [item.phrase for item in merge(text, findings, recognize(text))]


class Scripted:
    """A detector that answers what the test gives it, or fails."""

    def __init__(self, *findings: Finding, error: Exception | None = None) -> None:
        self._findings = findings
        self._error = error
        self.closed = False

    @property
    def info(self) -> DetectorInfo:
        return DetectorInfo(id="scripted-1", format="onnx", device="cpu", languages=("en",))

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        if self._error is not None:
            raise self._error
        return Detection(findings=self._findings, leak_score=0.4, checked_by="model")

    def close(self) -> None:
        self.closed = True


def test_a_recognizer_keeps_its_exact_span_and_the_model_keeps_the_rest() -> None:
    text = "I moved to Leeds, write me at jo@pradolindo.pt because the office closed"
    long = marked(text, "moved to Leeds, write me at jo@pradolindo.pt because the office closed")
    assert phrases(text, long) == ["moved to Leeds, write", "jo@pradolindo.pt", "because the office closed"]


def test_a_model_span_inside_a_recognized_one_is_dropped() -> None:
    text = "my IBAN is DE91 9900 0012 0000 4128 76"
    assert phrases(text, marked(text, "9900 0012")) == ["DE91 9900 0012 0000 4128 76"]


def test_a_label_beside_a_value_is_no_finding_of_its_own() -> None:
    text = "my mobile is 07911 123456"
    assert phrases(text, marked(text, "mobile is 07911 123456")) == ["07911 123456"]


def test_the_model_can_claim_a_value_that_no_word_ties_to_anyone() -> None:
    text = "contact form: jo@pradolindo.pt"
    assert recognize(text)[0].finding.tier == "others"
    (claimed,) = merge(text, [marked(text, "jo@pradolindo.pt", Category.CONTACT)], recognize(text))
    assert (claimed.tier, claimed.source, claimed.information) == (
        "disclosure", "pattern", "The user's email address is jo@pradolindo.pt.",
    )  # fmt: skip


def test_the_model_cannot_claim_what_the_text_gives_to_someone_else() -> None:
    text = "his e-mail is jo@pradolindo.pt"
    (kept,) = merge(text, [marked(text, "jo@pradolindo.pt", Category.CONTACT)], recognize(text))
    assert kept.tier == "others"


def test_a_phrase_cut_in_two_inside_a_word_becomes_one() -> None:
    text = "I have rheumatoid arthritis"
    assert phrases(text, marked(text, "rheuma"), marked(text, "toid arthritis")) == ["rheumatoid arthritis"]


def test_a_span_that_ends_inside_a_word_grows_to_its_end() -> None:
    text = "I live in Gloucestershire now"
    assert phrases(text, marked(text, "Glou", Category.LOCATION)) == ["Gloucestershire"]


def test_two_phrases_that_only_stand_near_each_other_stay_two() -> None:
    text = "I am a nurse in Leeds"
    found = [marked(text, "nurse", Category.OCCUPATION), marked(text, "Leeds", Category.LOCATION)]
    assert phrases(text, *found) == [
        "nurse", "Leeds",
    ]  # fmt: skip


def test_a_phrase_does_not_reach_over_a_blank_line() -> None:
    text = "since my dose was doubled I nap at lunch\r\n\r\nSection 380 follows"
    assert phrases(text, marked(text, "my dose was doubled I nap at lunch\r\n\r\nSection 380")) == [
        "my dose was doubled I nap at lunch"
    ]


def test_the_models_marks_in_code_are_dropped_but_not_those_in_its_comments() -> None:
    text = "```python\ndef april(may):\n    return may.hope  # my son Jonas wrote this\n```\nI live in Leeds"
    found = [marked(text, "april"), marked(text, "my son Jonas"), marked(text, "Leeds")]
    assert phrases(text, *found) == ["my son Jonas", "Leeds"]


def test_prose_in_a_fence_is_checked_like_any_text() -> None:
    text = "```\nDear landlord,\nI was diagnosed with asthma in May.\n```"
    assert phrases(text, marked(text, "diagnosed with asthma")) == ["diagnosed with asthma"]


def test_the_models_marks_on_reserved_values_are_dropped() -> None:
    text = "use user@example.com, +1 202 555 0143 and 3f2b8c1e-9d4a-4b6f-8a21-0c5d7e9f1a2b"
    found = [
        marked(text, "user@example.com"),
        marked(text, "+1 202 555 0143"),
        marked(text, "3f2b8c1e-9d4a-4b6f-8a21-0c5d7e9f1a2b"),
    ]
    assert phrases(text, *found) == []


def test_a_reserved_value_that_the_user_calls_their_own_stays_marked() -> None:
    text = "my e-mail is garth@mailhaven.example"
    assert phrases(text, marked(text, "garth@mailhaven.example", Category.CONTACT)) == [
        "garth@mailhaven.example"
    ]


def test_every_model_finding_gets_its_sentence() -> None:
    text = "I am a nurse"
    (finding,) = merge(text, [marked(text, "nurse", Category.OCCUPATION)], ())
    assert finding.information == "The user is a nurse."


def test_a_generative_models_own_sentence_stays() -> None:
    text = "I am a nurse"
    told = marked(text, "nurse").model_copy(update={"information": "The user nurses."})
    assert merge(text, [told], (), restate=False)[0].information == "The user nurses."


def test_a_failing_model_leaves_the_patterns_and_says_so() -> None:
    detector = UnionDetector(Scripted(error=DetectorError("gone")))
    detection = detector.detect("my IBAN is DE91 9900 0012 0000 4128 76")
    assert detection.checked_by == "patterns"
    assert [item.category for item in detection.findings] == [Category.IDENTIFIER]
    assert detection.leak_score > 0.9


def test_nothing_that_could_check_means_an_error_not_an_empty_answer() -> None:
    with pytest.raises(DetectorError):
        UnionDetector(Scripted(error=DetectorError("gone")), patterns=False).detect("hello")
    with pytest.raises(DetectorError):
        UnionDetector(None, patterns=False)


def test_patterns_can_be_left_out_to_measure_the_model() -> None:
    detection = UnionDetector(Scripted(), patterns=False).detect("my IBAN is DE91 9900 0012 0000 4128 76")
    assert (detection.findings, detection.checked_by, detection.leak_score) == ((), "model", 0.4)


def test_someone_elses_details_do_not_make_a_text_a_leak() -> None:
    assert load_detector("patterns").detect("his e-mail is jo@pradolindo.pt").leak_score == 0.0


def test_closing_the_union_closes_the_model() -> None:
    model = Scripted()
    UnionDetector(model).close()
    assert model.closed


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_mixture_of_spans_comes_out_sorted_and_disjoint(data: st.DataObject) -> None:
    text = (
        "I (jo@bla.de) live at 84.15.177.20\n\nand my son 我 Müller pays 4539 1488 0343 6467.\n"
        "```\nx = 1;\n```\nyes"
    )
    findings = []
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        category = data.draw(st.sampled_from(list(Category)))
        findings.append(
            marked(text, text[start:end], category).model_copy(update={"start": start, "end": end})
        )
    merged = merge(text, findings, recognize(text))
    position = 0
    for item in merged:
        assert position <= item.start < item.end
        assert text[item.start : item.end] == item.phrase
        position = item.end
    assert {"jo@bla.de", "84.15.177.20", "4539 1488 0343 6467"} <= {item.phrase for item in merged}


@pytest.mark.parametrize("phrase", ["will", "I will", "would have", "my"])
def test_a_mark_on_function_words_alone_tells_nothing_and_is_dropped(phrase: str) -> None:
    text = "I will go back home to London; my aunt would have come."
    assert phrases(text, marked(text, phrase)) == []


def test_a_mark_with_one_telling_word_among_function_words_stays() -> None:
    text = "I will go back home to London."
    assert phrases(text, marked(text, "will go back home")) == ["will go back home"]
