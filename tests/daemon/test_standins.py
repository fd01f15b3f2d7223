"""Stand-ins: the same kind, the same form, nobody's, and never something of the user's."""

# ruff: noqa: E501  # tables: one entry a line reads best

from __future__ import annotations

import ipaddress
import re

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from harness.daemon import RunningDaemon
from limen_daemon.findings import Category
from limen_daemon.places import City, gazetteer
from limen_daemon.standins import StandIn, Wanted, make
from limen_daemon.standins.making import MAX_PHRASE

C = Category


def made(text: str, category: Category, known: tuple[StandIn, ...] = ()) -> tuple[StandIn, ...]:
    """The phrase is what stands in `text` between double brackets."""
    found = re.search(r"\[\[(.+?)\]\]", text)
    assert found is not None
    plain = text[: found.start()] + found[1] + text[found.end() :]
    return make(Wanted(plain, found.start(), found.start() + len(found[1]), category, known))


def first(text: str, category: Category, known: tuple[StandIn, ...] = ()) -> str:
    return made(text, category, known)[0].placeholder


def test_a_full_name_and_its_parts_stay_one_person() -> None:
    whole, given_name, family = made("my wife [[Anna Weber]] called", C.NAME)
    assert whole.placeholder == f"{given_name.placeholder} {family.placeholder}"
    assert (given_name.value, family.value) == ("Anna", "Weber")
    known = (whole, given_name, family)
    assert first("[[Anna Lee]] is her cousin", C.NAME, known).split()[0] == given_name.placeholder
    assert first("ask [[Mr Weber]]", C.NAME, known) == f"Mr {family.placeholder}"


def test_who_somebody_is_to_the_user_stays_before_the_stand_in() -> None:
    whole, name, *_ = made("ask my [[colleague Anna Weber]] about it", C.NAME)
    assert whole.placeholder == f"colleague {name.placeholder}"
    assert name.value == "Anna Weber"


def test_a_chinese_name_keeps_its_family_through_every_way_of_calling() -> None:
    known = made("我同事[[王小明]]说", C.NAME)
    family = known[0].placeholder[0]
    assert family != "王"
    assert first("[[王经理]]说", C.NAME, known) == f"{family}经理"
    assert first("[[小王]]说", C.NAME, known) == f"小{family}"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("my wife [[Anna]], she is", "f"), ("my husband [[Tom]] and his job", "m")],
)
def test_a_first_name_goes_with_the_pronouns_around_it(text: str, wanted: str) -> None:
    from limen_daemon.standins.wanted import pool

    assert all(first(text, C.NAME) in pool(f"given_{wanted}") for _ in range(10))


@pytest.mark.parametrize(
    ("text", "country"), [("in [[Leeds]]", "GB"), ("住在[[厦门]]", "CN"), ("I live in [[München]]", "DE")]
)
def test_a_city_becomes_another_city_of_its_country(text: str, country: str) -> None:
    said = first(text, C.LOCATION)
    place = gazetteer().latin(said) or gazetteer().chinese(said)
    assert isinstance(place, City)
    assert place.country.code == country


@pytest.mark.parametrize(
    ("phrase", "pattern"),
    [
        ("jane@hotmail.com", r"[a-z]+\.[a-z]+@example\.com"),
        ("(415) 555-2671", r"202-555-01\d\d"),
        ("+1 415 555 2671", r"\+1 202-555-01\d\d"),
        ("+44 7911 123456", r"\+44 7700 900\d{3}"),
        ("07911 123456", r"07700 900\d{3}"),
        ("+49 171 1234567", r"\+49 171 39200\d\d"),
        ("@anna_w", r"@sample_[a-z]{4}"),
    ],
)
def test_contacts_reach_nobody(phrase: str, pattern: str) -> None:
    assert re.fullmatch(pattern, first(f"mine: [[{phrase}]]", C.CONTACT))


def test_a_chinese_mobile_number_belongs_to_no_network() -> None:
    said = first("电话[[13900010027]]", C.CONTACT)
    assert len(said) == 11
    assert not phonenumbers.is_valid_number(phonenumbers.parse(said, "CN"))


def test_a_card_is_one_of_the_schemes_test_cards_in_the_same_groups() -> None:
    said = first("card [[4532 0151 1283 0366]]", C.IDENTIFIER)
    assert luhn.is_valid(said.replace(" ", ""))
    assert re.fullmatch(r"(\d{4} ){3}\d{4}", said)
    assert said.replace(" ", "") in {
        "4111111111111111",
        "4242424242424242",
        "5555555555554444",
        "5105105105105100",
        "4012888888881881",
    }


def test_an_iban_has_right_check_digits_and_no_bank() -> None:
    said = first("to [[DE89 3704 0044 0532 0130 00]]", C.IDENTIFIER)
    assert iban.is_valid(said, check_country=False)
    assert said.replace(" ", "")[4:12] == "00000000"


def test_addresses_of_machines_are_those_set_aside_for_documentation() -> None:
    assert ipaddress.ip_address(first("at [[10.44.7.19]]", C.IDENTIFIER)) in ipaddress.ip_network(
        "192.0.2.0/24"
    )
    assert re.fullmatch(r"host\d\d\.example", first("at [[bastion02.ferrowick.net]]", C.IDENTIFIER))


def test_an_identity_number_is_impossible() -> None:
    said = first("身份证[[330702199408152926]]", C.IDENTIFIER)
    assert len(said) == 18 and said.startswith("000")


@pytest.mark.parametrize(
    ("phrase", "category", "pattern"),
    [
        ("£1,840 a month", C.FINANCE, r"£\d,\d\d0 a month"),
        ("14500元", C.FINANCE, r"\d\d\d00元"),
        ("45 years old", C.AGE, r"\d\d years old"),
        ("LR6602915", C.IDENTIFIER, r"[A-Z]{2}\d{7}"),
        ("14 Kestrel Mews, Leeds LS6 2QT", C.ADDRESS, r"\d\d [A-Z][a-z]+ [A-Z][a-z]+, [A-Z][a-z]+"),
        ("金华市丹溪路12号", C.ADDRESS, r"[一-鿿]+市[一-鿿]+路\d\d号"),
    ],
)
def test_the_form_stays(phrase: str, category: Category, pattern: str) -> None:
    said = first(f"mine [[{phrase}]]", category)
    assert said != phrase
    assert re.fullmatch(pattern, said)


@pytest.mark.parametrize(
    ("one", "other", "days"),
    [("12 March 1987", "15 March 1987", 3), ("2024-02-27", "2024-03-01", 3), ("1987年3月12日", "1987年3月20日", 8), ("12. März 1987", "13. März 1987", 1), ("March 12, 1987", "March 14, 1987", 2)],
)  # fmt: skip
def test_dates_move_together(one: str, other: str, days: int) -> None:
    from limen_daemon.standins.numbers import DATE, read_date

    known = made(f"on [[{one}]] we met", C.ACTIVITY)
    later = first(f"on [[{other}]] we left", C.ACTIVITY, known)
    moved = [
        read_date(found) for found in (DATE.fullmatch(known[0].placeholder), DATE.fullmatch(later)) if found
    ]
    assert moved[0] is not None and moved[1] is not None
    assert (moved[1] - moved[0]).days == days
    assert known[0].placeholder != one


@pytest.mark.parametrize(
    ("text", "category"),
    [("my key [[sk-live-123456]]", C.CREDENTIAL), ("I have [[diabetes]]", C.HEALTH), ("I [[hate my job]]", C.OPINION), ("[[works nights somewhere]]", C.EMPLOYER)],
)  # fmt: skip
def test_what_has_no_realistic_stand_in_has_none(text: str, category: Category) -> None:
    assert made(text, category) == ()


def test_a_stand_in_does_not_follow_from_the_value() -> None:
    assert len({first("my wife [[Anna Weber]]", C.NAME) for _ in range(30)}) > 5


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_stand_in_stands_in_the_users_text_or_for_something_else(data: st.DataObject) -> None:
    from limen_daemon.standins.wanted import pool

    names = data.draw(
        st.lists(st.sampled_from(pool("given_f") + pool("given_m") + pool("surname")), max_size=40)
    )
    text = f"{' '.join(names)} and [[Anna Weber]] and she"
    plain = text.replace("[[", "").replace("]]", "").casefold()
    for one in made(text, C.NAME):
        assert one.placeholder.casefold() not in plain
        assert one.placeholder != one.value


@settings(max_examples=300, deadline=None)
@given(
    phrase=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=90)
    | st.from_regex(r"[A-Z][a-z]{2,9}( [A-Z][a-z]{2,9}){0,3}|[\d ()+-]{4,20}|[\w.]+@[\w.]+", fullmatch=True),
    category=st.sampled_from(list(Category)),
)
def test_any_phrase_gets_a_sound_stand_in_or_none(phrase: str, category: Category) -> None:
    found = make(Wanted(phrase, 0, len(phrase), category))
    if found:
        assert found[0].value == phrase
        assert len({one.value for one in found}) == len(found)
    for one in found:
        assert 0 < len(one.placeholder) <= MAX_PHRASE
        assert "\n" not in one.placeholder


async def test_the_route_gives_entries_as_placeholders_are_stored(daemon: RunningDaemon) -> None:
    text = "\U0001f600 my wife Anna Weber called"
    body = {
        "text": text,
        "start": 11,
        "end": 21,
        "category": "name",
        "known": [{"placeholder": "Clara", "value": "Anna"}],
    }
    answer = await daemon.post("/v1/standins/make", body)
    assert answer.status == 200
    entries = answer.json()["entries"]
    assert entries[0]["value"] == "Anna Weber"
    assert entries[0]["placeholder"].startswith("Clara ")
    assert [entry["value"] for entry in entries] == ["Anna Weber", "Weber"]


async def test_the_route_refuses_offsets_that_do_not_fit(daemon: RunningDaemon) -> None:
    answer = await daemon.post(
        "/v1/standins/make", {"text": "zebra", "start": 3, "end": 9_999, "category": "name"}
    )
    assert (answer.status, answer.json()) == (422, {"error": "input"})
