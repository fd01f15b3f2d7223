"""Whose a value is, from the words around it."""

from __future__ import annotations

import pytest

from limen_daemon.recognizers.ownership import whose
from limen_daemon.recognizers.protocol import Owner
from limen_daemon.recognizers.recognition import recognize

VALUE = "jo.ferreira@pradolindo.pt"

CASES = [
    ("reply to me at {}", Owner.USER),
    ("my e-mail is {}", Owner.USER),
    ("You can reach me: {}", Owner.USER),
    ("send it to my work address {}", Owner.USER),
    ("{} is my address", Owner.USER),
    ("please refund {}", Owner.USER),
    ("Antwort bitte an {}", Owner.USER),
    ("Meine Adresse lautet {}", Owner.USER),
    ("我的邮箱是{}", Owner.USER),
    ("退款请打到{}", Owner.USER),
    ("My details:\nName: Jo\nEmail: {}", Owner.USER),
    ("my wife's e-mail is {}", Owner.RELATED),
    ("write to my boss at {}", Owner.RELATED),
    ("我妈的邮箱是{}", Owner.RELATED),
    ("his e-mail is {}", Owner.OTHER),
    ("I met Bob. His address is {}", Owner.OTHER),
    ("I emailed {} yesterday", Owner.OTHER),
    ("他的邮箱是{}", Owner.OTHER),
    ("> me: {}", Owner.OTHER),
    ("contact us at {}", Owner.UNKNOWN),
    ("I like tea. The form lists {}", Owner.UNKNOWN),
    ("{}", Owner.UNKNOWN),
]


@pytest.mark.parametrize(("frame", "owner"), CASES, ids=[frame[:28].replace("\n", " ") for frame, _ in CASES])
def test_the_words_around_a_value_say_whose_it_is(frame: str, owner: Owner) -> None:
    text = frame.format(VALUE)
    start = text.index(VALUE)
    assert whose(text, start, start + len(VALUE)) is owner


@pytest.mark.parametrize(("frame", "owner"), CASES, ids=[frame[:28].replace("\n", " ") for frame, _ in CASES])
def test_the_tier_follows_the_owner(frame: str, owner: Owner) -> None:
    (item,) = recognize(frame.format(VALUE))
    expected = "disclosure" if owner in (Owner.USER, Owner.RELATED) else "others"
    assert item.finding.tier == expected
    assert item.finding.subject.value == ("related" if owner is Owner.RELATED else "user")


def test_a_number_in_a_register_is_secret_when_it_is_the_users() -> None:
    assert recognize("my IBAN is DE91 9900 0012 0000 4128 76")[0].finding.tier == "secret"
    assert recognize("his IBAN is DE91 9900 0012 0000 4128 76")[0].finding.tier == "others"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"reply to me at {VALUE}", f"The user's email address is {VALUE}."),
        (f"his e-mail is {VALUE}", f"Someone else's email address is {VALUE}."),
        (f"the form lists {VALUE}", f"The text gives the email address {VALUE}."),
        (f"my wife's e-mail is {VALUE}", f"Someone close to the user has the email address {VALUE}."),
        (f"我的邮箱是{VALUE}，请回复", f"用户的邮箱是{VALUE}。"),
    ],
)
def test_the_sentence_says_no_more_than_is_known(text: str, sentence: str) -> None:
    assert recognize(text)[0].finding.information == sentence
