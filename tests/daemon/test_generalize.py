"""Less detailed wordings: they fit in the sentence, tell less, and never carry what they stand for."""

# ruff: noqa: E501  # tables: one entry a line reads best

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.daemon import RunningDaemon
from limen_daemon.findings import Category, Subject
from limen_daemon.generalize import MAX_SUGGESTIONS, Asked, Suggestion, suggest
from limen_daemon.generalize.guard import MAX_CHARACTERS, carries
from limen_daemon.generalize.numbers import read_en, read_zh, rounded

C, U, R = Category, Subject.USER, Subject.RELATED


def asked(text: str, category: Category, subject: Subject = U, levels: tuple[int, int] = (2, 2)) -> Asked:
    """The phrase is what stands in `text` between double brackets."""
    found = re.search(r"\[\[(.+?)\]\]", text)
    assert found is not None
    plain = text[: found.start()] + found[1] + text[found.end() :]
    return Asked(plain, found.start(), found.start() + len(found[1]), category, subject, *levels)


def put_in(question: Asked, one: Suggestion) -> str:
    return question.text[: one.start] + one.text + question.text[one.end :]


def sentences(
    text: str, category: Category, subject: Subject = U, levels: tuple[int, int] = (2, 2)
) -> list[str]:
    question = asked(text, category, subject, levels)
    return [put_in(question, one) for one in suggest(question)]


SAID = [
    # Ages
    ("is it normal that [[my 3 year old]] repeats syllables?", C.RELATIONSHIP, R, ["is it normal that my young child repeats syllables?"]),
    ("is it normal that my [[3 year old]] repeats syllables?", C.AGE, R, ["is it normal that my young child repeats syllables?"]),
    ("an [[8 year old]] asked me", C.AGE, R, ["a child asked me"]),
    ("I'm [[45]] and tired", C.AGE, U, ["I'm in my forties and tired", "I'm an adult and tired"]),
    ("[[my 78 year old mother]] fell", C.AGE, R, ["my elderly mother fell"]),
    ("my [[3 year old repeats syllables twice]]?", C.EDUCATION, R, ["my young child repeats syllables twice?"]),
    ("my [[3 year old labrador]] limps", C.POSSESSION, R, ["my young dog limps"]),
    ("I live in [[Leeds with two cats]]", C.POSSESSION, U, ["I live in England with some cats", "I live in the UK with some cats"]),
    ("我[[三岁的孩子说话总是重复]]，正常吗", C.HABIT, R, ["我小孩说话总是重复，正常吗"]),
    ("[[我三岁的孩子]]说话重复", C.RELATIONSHIP, R, ["我的小孩说话重复"]),
    ("我[[妈72了]]，下楼疼", C.AGE, R, ["我妈七十多岁，下楼疼", "我妈年纪大了，下楼疼"]),
    ("我[[二十六]]，博二", C.AGE, U, ["我二十多岁，博二", "我已经成年，博二"]),
    # Dates
    ("I was born on [[12 March 1987]] in Leeds", C.AGE, U, ["I was born in 1987 in Leeds", "I was born in the 1980s in Leeds"]),
    ("I will [[leave the keys on 30 June]]", C.INTENTION, U, ["I will leave the keys in June"]),
    ("Ich bin am [[12. März 1987]] geboren", C.AGE, U, ["Ich bin 1987 geboren", "Ich bin in den 1980ern geboren"]),
    ("我[[1987年3月12日出生]]", C.AGE, U, ["我1987年出生", "我上世纪八十年代出生"]),
    # Money, counts, durations
    ("I earn [[£1,840 a month]] before tax", C.FINANCE, U, ["I earn about £2,000 a month before tax", "I earn a certain amount a month before tax"]),
    ("got a [[£1,840 fine]]", C.FINANCE, U, ["got a roughly £2,000 fine", "got a fine"]),
    ("he has [[40k gambling debt]]", C.FINANCE, R, ["he has gambling debt"]),
    ("we have [[412 followers]]", C.BUSINESS, R, ["we have about 400 followers", "we have many followers"]),
    ("I have been here [[for 3 weeks]] now", C.ACTIVITY, U, ["I have been here for a few weeks now", "I have been here for some time now"]),
    ("我月薪[[14500元]]", C.FINANCE, U, ["我月薪15000元左右"]),
    ("[[跟男朋友同居两年]]", C.RELATIONSHIP, U, ["跟男朋友同居几年", "跟男朋友同居一段时间"]),
    ("ich wohne hier [[seit 3 Wochen]]", C.ACTIVITY, U, ["ich wohne hier seit einigen Wochen", "ich wohne hier seit einiger Zeit"]),
    # Places
    ("I moved to [[Xiamen]] last year", C.LOCATION, U, ["I moved to a city in Fujian last year", "I moved to a city in China last year"]),
    ("[[landing in Tbilisi at 3am]], any trains?", C.ACTIVITY, U, ["landing in Georgia at night, any trains?"]),
    ("our [[Leeds]] office", C.LOCATION, R, ["our England office", "our UK office"]),
    ("我在[[厦门]]工作", C.LOCATION, U, ["我在福建的一个城市工作", "我在国内的一个城市工作"]),
    ("[[在墨尔本读预科]]，想家", C.EDUCATION, U, ["在澳大利亚读预科，想家", "在国外读预科，想家"]),
    ("ich wohne in [[München]]", C.LOCATION, U, ["ich wohne in einer Stadt in Bayern", "ich wohne in Deutschland"]),
    # Addresses
    ("I live at [[Flat 6, 41 Corran Street]], can you help", C.ADDRESS, U, ["I live at my address, can you help"]),
    ("ship it to [[14 Kestrel Mews, Leeds LS6 2QT]] please", C.ADDRESS, U, ["ship it to a place in Leeds please", "ship it to a place in the UK please", "ship it to my address please"]),
    # Health
    ("I take [[sertraline 50 mg]] daily", C.HEALTH, U, ["I take an antidepressant daily", "I take a medication daily"]),
    ("I have been [[on sertraline for 3 weeks]]", C.HEALTH, U, ["I have been on an antidepressant for a few weeks", "I have been on a medication for some time"]),
    ("I was [[diagnosed with type 2 diabetes]]", C.HEALTH, U, ["I was diagnosed with a chronic condition", "I was diagnosed with a health condition"]),
    ("my [[diabetes]] is worse", C.HEALTH, U, ["my chronic condition is worse", "my health condition is worse"]),
    ("I think [[she is celiac]]", C.HEALTH, R, ["I think she is living with a chronic condition", "I think she is living with a health condition"]),
    ("my son [[repeats syllables twice]]?", C.HEALTH, R, ["my son has a health problem?"]),
    ("[[姥爷阿尔茨海默]]，最近老往外跑", C.HEALTH, R, ["姥爷有神经系统疾病，最近老往外跑", "姥爷有健康问题，最近老往外跑"]),
    ("[[吃舍曲林三周]]了", C.MENTAL_HEALTH, U, ["吃抗抑郁药几周了", "吃一种药一段时间了"]),
    # Work
    ("I'm an [[electrician]] in Leeds", C.OCCUPATION, U, ["I'm a person working in construction in Leeds", "I'm a working person in Leeds"]),
    ("I work at [[Bosch]] in Stuttgart", C.EMPLOYER, U, ["I work at an engineering company in Stuttgart", "I work at an employer in Stuttgart"]),
    ("在[[柳州一家妇幼医院]]上班", C.EMPLOYER, U, ["在一家医院上班", "在一家单位上班"]),
    # People
    ("[[Anna]] lost her job", C.NAME, R, ["Someone I know lost her job"]),
    ("my wife [[Anna]] lost her job", C.NAME, R, ["my wife lost her job"]),
    ("my wife [[Anna]]'s job", C.NAME, R, ["my wife's job"]),
    ("请转告[[王经理]]", C.NAME, R, ["请转告一位经理"]),
    # Values that point at a person
    ("write to [[jane@hotmail.com]] please", C.CONTACT, U, ["write to my e-mail address please"]),
    ("my email is [[jane@hotmail.com]] thanks", C.CONTACT, U, ["my email is private thanks"]),
    ("with order number [[LR6602915]] now", C.IDENTIFIER, R, ["with order number now"]),
    ("邮箱：[[linzhao77@example.cn]]", C.CONTACT, U, ["邮箱：保密"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "category", "subject", "expected"), SAID, ids=[one[0] for one in SAID])
def test_a_phrase_is_said_less_exactly(
    text: str, category: Category, subject: Subject, expected: list[str]
) -> None:
    assert sentences(text, category, subject, (3, 3)) == expected


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I feel [[worried]]", C.EMOTION),
        ("[[hate my manager]]", C.OPINION),
        ("ensina [[do 302 acabou de sair]] para você", C.HEALTH),
        ("it was [[a nurse burnout study]]", C.EDUCATION),
        ("[[双十一]]买的", C.ACTIVITY),
        ("[[Ms Achterberg leaves soon]]", C.HEALTH),
        ("[[drunk till 2019]], then sober", C.HEALTH),
        ("we take card, [[no under 16 even with parents]]", C.FINANCE),
        ("i [[recorded my ex threatening me]], can i use it", C.LEGAL),
        ("[[孩子上幼儿园哭了]]", C.ACTIVITY),
        ("[[工钱三万四一直拖着]]", C.FINANCE),
        ("[[骑行到青海湖]]，屁股废了", C.ACTIVITY),
        ("[[我和我弟差十二岁]]，带他出门", C.RELATIONSHIP),
        ("[[我们用的阿里云RDS]]，连接串", C.BUSINESS),
    ],
)
def test_nothing_is_offered_where_nothing_sure_can_be_said(text: str, category: Category) -> None:
    assert sentences(text, category) == []


def test_what_tells_least_already_cannot_tell_less() -> None:
    assert sentences("my [[3 year old]] sings", C.AGE, R, (1, 1)) == []


def test_each_wording_reaches_a_lower_level_and_says_which() -> None:
    found = suggest(asked("I earn [[£1,840 a month]] before tax", C.FINANCE, U, (3, 2)))
    assert [(one.granularity, one.identifiability) for one in found] == [(2, 2), (1, 1)]


def test_the_less_general_comes_first_and_there_are_at_most_three() -> None:
    for text, category, subject, _ in SAID:
        found = suggest(asked(text, category, subject, (3, 3)))
        levels = [one.granularity + one.identifiability for one in found]
        assert levels == sorted(levels, reverse=True)
        assert len(found) <= MAX_SUGGESTIONS


PHRASES = [re.search(r"\[\[(.+?)\]\]", text)[1] for text, *_ in SAID]  # type: ignore[index]
FRAMES = [
    "",
    "I am ",
    "my ",
    "an ",
    "at ",
    "on ",
    "for ",
    "我",
    "在",
    "ich nehme ",
    "(",
    "= ",
    "my wife ",
    "her number is ",
]
_LETTERS = st.characters(exclude_categories=["Cs"])


@settings(max_examples=400, deadline=None)
@given(
    before=st.sampled_from(FRAMES),
    phrase=st.sampled_from(PHRASES)
    | st.text(_LETTERS, min_size=1, max_size=60)
    | st.from_regex(r"[A-Za-z0-9 @.,+/£-]{1,40}", fullmatch=True),
    after=st.sampled_from(["", " now", "'s job", "了", ", and more", " a month"]),
    category=st.sampled_from(list(Category)),
    subject=st.sampled_from(list(Subject)),
    levels=st.tuples(st.integers(1, 3), st.integers(1, 3)),
)
def test_no_wording_carries_the_phrase_grows_long_or_tells_as_much(
    before: str, phrase: str, after: str, category: Category, subject: Subject, levels: tuple[int, int]
) -> None:
    text = before + phrase + after
    found = suggest(Asked(text, len(before), len(before) + len(phrase), category, subject, *levels))
    for one in found:
        assert phrase.strip().casefold() not in one.text.casefold()
        assert 0 < len(one.text) <= MAX_CHARACTERS and one.text == one.text.strip()
        assert "\n" not in one.text
        assert one.start <= len(before) and one.end == len(before) + len(phrase)
        assert one.granularity <= levels[0] and one.identifiability <= levels[1]
        assert (one.granularity, one.identifiability) != levels


@settings(max_examples=300, deadline=None)
@given(
    value=st.from_regex(
        r"[A-Z][A-Z0-9]{2,6}-?[0-9]{3,9}|[a-z]{3,8}[0-9]{1,4}@[a-z]{3,8}\.com|\+44 7[0-9]{3} [0-9]{6}",
        fullmatch=True,
    ),
    before=st.sampled_from(
        ["my number is ", "order ", "write to ", "call me on ", "PASS=", "我的电话是", "账号", "and "]
    ),
    category=st.sampled_from([C.CONTACT, C.IDENTIFIER, C.CREDENTIAL]),
)
def test_no_letter_or_digit_run_of_an_identifier_is_left(value: str, before: str, category: Category) -> None:
    question = Asked(before + value, len(before), len(before) + len(value), category, U, 3, 3)
    for one in suggest(question):
        for run in re.findall(r"\d{2,}|(?<=@)\w+|[A-Z]{3,}", value):
            assert run not in one.text


@pytest.mark.parametrize(
    ("phrase", "wording", "category", "is_carried"),
    [
        ("£1,840", "about £1840", C.FINANCE, True),
        ("£1,840", "about £2,000", C.FINANCE, False),
        ("Anna Weber", "my friend Weber", C.NAME, True),
        ("my son Kofi", "my son", C.NAME, False),
        ("jane@hotmail.com", "jane's address", C.CONTACT, True),
        ("QX7LMT", "code qx7lmt", C.IDENTIFIER, True),
        ("Leeds", "near leeds", C.LOCATION, True),
    ],
)
def test_the_guard_knows_a_value_in_another_dress(
    phrase: str, wording: str, category: Category, is_carried: bool
) -> None:
    assert carries(phrase, wording, category) is is_carried


@pytest.mark.parametrize(
    ("said", "number"),
    [("四十一", 41), ("两万六", 26_000), ("五十有六", 56), ("3.28万", 32_800), ("三百五", 350), ("十五", 15), ("一千零五", 1005), ("二十六", 26), ("六千", 6000)],
)  # fmt: skip
def test_chinese_numbers_are_read(said: str, number: float) -> None:
    assert read_zh(said) == number


def test_english_numbers_are_read() -> None:
    assert [read_en(word) for word in ("three", "forty-one", "12", "sixty three", "hundred")] == [
        3,
        41,
        12,
        63,
        None,
    ]


def test_a_round_number_is_near_and_never_the_number_itself() -> None:
    assert [rounded(value) for value in (1840, 14500, 640, 2384.11, 2000, 1.4)] == [
        2000,
        15000,
        600,
        2000,
        None,
        None,
    ]
    for value in range(1, 5000, 7):
        near = rounded(float(value))
        assert near is None or (near != value and abs(near - value) <= value / 2)


def test_a_wording_takes_well_under_a_millisecond() -> None:
    questions = [asked(text, category, subject, (3, 3)) for text, category, subject, _ in SAID]
    for question in questions:
        suggest(question)
    best = min(_seconds(questions) for _ in range(5))
    assert best / len(questions) < 0.001


def _seconds(questions: list[Asked]) -> float:
    # Anew each time: what was found out about a clause is remembered with the question.
    fresh = [
        Asked(q.text, q.start, q.end, q.category, q.subject, q.granularity, q.identifiability)
        for q in questions
    ]
    start = time.process_time()
    for question in fresh:
        suggest(question)
    return time.process_time() - start


async def test_the_route_answers_in_utf16_offsets(daemon: RunningDaemon) -> None:
    text = "\U0001f600 an 8 year old asked"
    body = {
        "text": text,
        "start": 6,
        "end": 16,
        "category": "age",
        "subject": "related",
        "granularity": 2,
        "identifiability": 2,
    }
    answer = await daemon.post("/v1/generalize", body)
    assert answer.status == 200
    (one,) = answer.json()["suggestions"]
    assert one == {"text": "a child", "start": 3, "end": 16, "granularity": 1, "identifiability": 1}


@pytest.mark.parametrize(("start", "end"), [(0, 1), (1, 3), (5, 5), (3, 99)])
async def test_offsets_that_do_not_fit_are_refused_without_repeating_the_text(
    daemon: RunningDaemon, start: int, end: int
) -> None:
    body = {
        "text": "\U0001f600 zebra",
        "start": start,
        "end": end,
        "category": "age",
        "subject": "user",
        "granularity": 2,
        "identifiability": 2,
    }
    answer = await daemon.post("/v1/generalize", body)
    assert answer.status == 422
    assert answer.json() == {"error": "input"}
