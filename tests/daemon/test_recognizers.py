"""The deterministic recognizers: what each kind finds, what stays silent, whatever stands beside it."""

# ruff: noqa: E501  # a table: one entry a line reads best

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limen_daemon.recognizers.protocol import Owner
from limen_daemon.recognizers.recognition import RECOGNIZERS, recognize


def kinds(text: str) -> dict[str, str]:
    return {item.finding.phrase: item.match.kind for item in recognize(text)}


def tiers(text: str) -> dict[str, str]:
    return {item.finding.phrase: item.finding.tier for item in recognize(text)}


# Values are put together here so that no scanner takes this file for a leak.
GITHUB = "gh" + "p_" + "Zk8Lm2Qw9Rt4Yx7Vb1Nc6Hd3Jf5Gs0Pa2Ku"
ANTHROPIC = "sk-" + "ant-api03-" + "q8Wm2Lx7Rt4Yz9Vb1Nc6Hd3Jf5Gs0Pa2KuT"
SLACK = "xox" + "b-" + "2849301746-Qm2Lx7Rt4Yz9Vb1"
AWS = "AKIA" + "Q7M3EXTRN55WLPD2"
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiI5MzQ4In0.Qm2Lx7Rt4Yz9Vb1Nc6Hd"
RANDOM = "q8Wm2Lx7Rt4Yz9Vb1Nc6Hd3J"
TELEGRAM = "5839201746:" + "AA" + "Qm2Lx7Rt4Yz9Vb1Nc6Hd3Jf5Gs0Pa2KuT"
KEY_BLOCK = (
    "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKCAQEAx9Qm2Lx7Rt4Yz9Vb1Nc6Hd3Jf5Gs0Pa2KuTq8Wm2Lx7R\n"
    "t4Yz9Vb1Nc6Hd3Jf5Gs0Pa2KuTq8Wm2Lx7Rt4Yz9Vb1Nc6Hd3Jf5Gs0Pa2KuTq8W\n-----END RSA " + "PRIVATE KEY-----"
)

FOUND = [
    ("write to jo.ferreira@pradolindo.pt please", "jo.ferreira@pradolindo.pt", "email"),
    ("call me on +49 170 1234567", "+49 170 1234567", "phone"),
    ("my number is (415) 867-5301", "(415) 867-5301", "phone"),
    ("手机13812345678", "13812345678", "phone"),
    ("my mobile is 07911 123456", "07911 123456", "phone"),
    ("IBAN: DE91 9900 0012 0000 4128 76", "DE91 9900 0012 0000 4128 76", "iban"),
    ("iban IE46IRCE92057311884076 thanks", "IE46IRCE92057311884076", "iban"),
    ("my card is 4539 1488 0343 6467", "4539 1488 0343 6467", "card"),
    ("card 371449635398430 exp 08/29".replace("371449635398430", "378734493671000"), "378734493671000", "card"),
    ("Meine Steuer-ID ist 81 502 337 946", "81 502 337 946", "tax_id"),
    ("身份证440305198707142712", "440305198707142712", "national_id"),
    ("my SSN is 536-22-1945", "536-22-1945", "social_security"),
    ("my NI number: QQ 12 34 56 C".replace("QQ 12 34 56", "JG 10 37 59").replace(" C", " A"), "JG 10 37 59 A", "social_security"),
    ("DNI 54362315K", "54362315K", "national_id"),
    ("my NHS number is 943 476 5919", "943 476 5919", "health_id"),
    ("CPF 390.533.447-05", "390.533.447-05", "tax_id"),
    ("my passport number is C01X00T47", "C01X00T47", "passport"),
    ("my home IP is 84.15.177.20", "84.15.177.20", "ip"),
    ("server at 2a02:8109:9ec0:1f::8b3c", "2a02:8109:9ec0:1f::8b3c", "ip"),
    ("postgres://app:s3cr7Hunt@db/int", "s3cr7Hunt", "password"),
    (f"https://host.tld/reset?token={RANDOM}&x=1", RANDOM, "url_secret"),
    (f"token {GITHUB}", GITHUB, "api_key"),
    (f"key={ANTHROPIC}", ANTHROPIC, "api_key"),
    (SLACK, SLACK, "api_key"),
    (AWS, AWS, "api_key"),
    (JWT, JWT, "api_key"),
    (TELEGRAM, TELEGRAM, "api_key"),
    (f'API_KEY = "{RANDOM}"', RANDOM, "api_key"),
    (f"client_secret: {RANDOM}", RANDOM, "api_key"),
    (f"here it is\n{KEY_BLOCK}\nthanks", KEY_BLOCK, "private_key"),
    ("my password is Tulip1998.", "Tulip1998", "password"),
    ("DB_PASSWORD=gr8-heron-41", "gr8-heron-41", "password"),
    ('password = "correcthorse"', "correcthorse", "password"),
    ("Server=db;User=sa;Password=Kiwi77x;", "Kiwi77x", "password"),
    ('"db_pass": "Kiwi77x"', "Kiwi77x", "password"),
    ("pass: Kiwi77x", "Kiwi77x", "password"),
    ('password = "correct horse 44"', "correct horse 44", "password"),
    ("密码是Hunter2024", "Hunter2024", "password"),
    ("Mein Passwort lautet Svestka44", "Svestka44", "password"),
    ("I live at 48.13743, 11.57549", "48.13743, 11.57549", "coordinates"),
    ("gps 48°08'14.7\"N 11°34'31.8\"E", "48°08'14.7\"N 11°34'31.8\"E", "coordinates"),
    ("I deployed it as svc-mkrug yesterday", "svc-mkrug", "username"),
    ("my handle on GitHub is @tulip-lover", "@tulip-lover", "username"),
    ("Ich wohne in der Gartenstraße 17b in Fürth.", "Gartenstraße 17b in Fürth", "street"),
    ("I live at 12 Harbour Lane", "12 Harbour Lane", "street"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value", "kind"), FOUND, ids=[f"{kind}:{text[:24]}" for text, _, kind in FOUND]
)
def test_a_value_is_found_exactly(text: str, value: str, kind: str) -> None:
    assert kinds(text) == {value: kind}


SILENT = [
    "The fix shipped on 2026-03-14, 14 March and 14.03.2026 at 22:40.",
    "user 3f2b8c1e-9d4a-4b6f-8a21-0c5d7e9f1a2b in commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "md5 9e107d9d372bb6826bd81d3542a419d6, sha256 " + "ab12" * 16,
    "version 10.15.7.2, v1.2.3.4, release 4.18.0.305, Chrome/120.0.6099.109",
    "hosts: 127.0.0.1, 192.168.1.10, 10.0.0.5, 8.8.8.8, 192.0.2.44, 2001:db8::1, ::1",
    "order number 4539148803436467 and tracking 9400 1000 0000 0000 0000 00",
    "booking 07911 123456 and member no. 40-118-2297",
    "user@example.com, help@acme.test, a@b.example, root@localhost, noreply@github.com",
    "support@acme.com answers quickly, so does info@acme.com",
    "call +1 202 555 0143 or 07700 900123 or 020 7946 0958",
    "AKIA" + "IOSFODNN7" + "EXAMPLE, YOUR_API_KEY, API_KEY=your-api-key-here, token: <TOKEN>",
    "API_KEY=os.environ['API_KEY'], key: ${SECRET_KEY}, token = process.env.GITHUB_TOKEN_VALUE1",
    "password: string; password = getpass(); password=changeme; the password is too weak; password: ********",
    '"run_pass": "-pass 2 -q", password: "Type your password here", mysql -p secret',
    "card 4242 4242 4242 4242 and 4111111111111111 in the sandbox",
    "IBAN DE89 3704 0044 0532 0130 00 and GB82 WEST 1234 5698 7654 32 are in every manual",
    "SSN 078-05-1120, steuer-id 12345678901, 000-00-0000 as an SSN",
    "weights = [0.12345, 0.53213, 0.23511], loss 0.69314, 1.09861",
    "import foo@2.x from react@18.2.0 and logo@2x.png; git@github.com:acme/site.git",
    "pi is 3.14159265358979, e is 2.718281828459045, population 1428627663",
    "ISBN 978-3-16-148410-0, EAN 4006381333931, DOI 10.1000/182",
    "https://shop.tld/item?key=colour&code=summer&page=2",
    ".config/ranger/rc.conf and main.rs and index.html",
    "The board meets in room 1138 at 09:14; the fee is 250,000.00 EUR.",
    "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END " + "PRIVATE KEY-----",
    "| Sprint | Start | Owner |\n| --- | --- | --- |\n| 14 | 2026-01-05 | Team A |",
    "The shop is at 12 Harbour Lane and at Gartenstraße 17b.",
    "",
    "   \n\n ",
]  # fmt: skip


@pytest.mark.parametrize("text", SILENT, ids=[text[:32] or "empty" for text in SILENT])
def test_lookalikes_and_reserved_values_stay_silent(text: str) -> None:
    assert kinds(text) == {}


NEIGHBOURS = ["的", "我", "ж", "ß", "é", "😀", "👩‍👧", "。", "（", "」", "\u3000", "\u200b", "ñ"]
GLUED = [
    "+49 170 1234567",
    "DE91 9900 0012 0000 4128 76",
    "4539 1488 0343 6467",
    "440305198707142712",
    GITHUB,
    AWS,
]


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
@pytest.mark.parametrize("value", GLUED, ids=["phone", "iban", "card", "id", "github", "aws"])
def test_a_value_glued_to_any_script_is_found(value: str, neighbour: str) -> None:
    assert list(kinds(f"{neighbour}{value}{neighbour}")) == [value]


@pytest.mark.parametrize("neighbour", ["的", "我", "😀", "。", "（", "：", "\u3000"])
def test_an_address_keeps_its_letters_and_leaves_its_neighbours(neighbour: str) -> None:
    assert list(kinds(f"{neighbour}grießjan@feldpost.de{neighbour}")) == ["grießjan@feldpost.de"]


def test_a_value_inside_a_longer_word_is_not_found() -> None:
    assert kinds("x4539148803436467y A+491701234567B q8DE91990000120000412876") == {}


def test_several_values_in_one_text_are_all_found_in_order() -> None:
    text = "我的邮箱是zhang.wei@qq.com，电话13812345678，my SSN is 536-22-1945"
    found = [item.finding for item in recognize(text)]
    assert [item.phrase for item in found] == ["zhang.wei@qq.com", "13812345678", "536-22-1945"]
    assert all(text[item.start : item.end] == item.phrase for item in found)


def test_a_password_in_a_link_is_not_also_an_email() -> None:
    assert kinds("https://bob:Kiwi77x@db.acme.com/x") == {"Kiwi77x": "password"}


def test_a_credential_is_secret_whoever_owns_it() -> None:
    assert set(tiers(f"{GITHUB} and his password is Tulip1998").values()) == {"secret"}


def test_a_key_in_code_is_found_too() -> None:
    assert tiers(f"```python\nclient = Client(api_key='{RANDOM}')\n```") == {RANDOM: "secret"}


def test_people_in_a_table_are_someone_elses_details() -> None:
    table = "name\tdate of birth\temail\nIda Holm\t1971-02-03\tida@holm.dk\nBo Lind\t1980-11-30\tbo@lind.se"
    found = tiers(table)
    assert {"Ida Holm", "1971-02-03", "ida@holm.dk", "Bo Lind", "1980-11-30", "bo@lind.se"} == set(found)
    assert set(found.values()) == {"others"}


def test_the_sentence_of_a_long_secret_does_not_repeat_it() -> None:
    (item,) = recognize(f"my key:\n{KEY_BLOCK}")
    assert item.owner is Owner.USER
    assert item.finding.information == "The text holds the user's private key."


ADVERSARIAL = {
    "digits": "1" * 100_000,
    "spaced digits": "1 " * 50_000,
    "dashes": "1-" * 50_000,
    "ats": "a@" * 50_000,
    "letters": "a" * 100_000,
    "dots": "a." * 50_000,
    "password": "password:" * 11_000,
    "key": "api_key=" * 12_000,
    "pipes": "|a" * 50_000,
    "links": "https://a:" * 10_000,
    "tokens": "://" + "?token=abcdefgh1" * 6_000,
    "colons": ":" * 100_000,
    "key blocks": "-----BEGIN PRIVATE KEY-----" * 3_700,
    "ibans": "DE12 " * 20_000,
    "addresses": "1.1.1." * 16_000,
    "lines": "\n" * 100_000,
    "fences": "```\n" * 25_000,
    "quotes": "> a@b.de\n" * 11_000,
    "capitals": "Ab " * 33_000,
    "times": "Ab 12:30 " * 11_000,
    "coordinates": "1.12345 " * 12_000,
    "i live": "I live " * 14_000,
    "my": "my my " * 16_000,
    "chinese": "我的电话" * 25_000,
    "passport": "passport 1" * 10_000,
    "json tokens": "eyJ" + "a" * 50_000 + "." + "eyJ" + "b" * 40_000,
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_hostile_text_of_100_000_characters_is_answered(name: str) -> None:
    """A pattern that backtracks would need hours for one of these; none has more than seconds of work."""
    text = ADVERSARIAL[name]
    assert all(text[item.finding.start : item.finding.end] == item.finding.phrase for item in recognize(text))


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("a1 .@-:/=我|`>+()\n\"'ß😀pP{"), max_size=300))
def test_any_text_gives_sorted_disjoint_findings(text: str) -> None:
    position = 0
    for item in recognize(text):
        assert position <= item.finding.start < item.finding.end <= len(text)
        position = item.finding.end


@pytest.mark.parametrize("recognizer", RECOGNIZERS, ids=lambda recognizer: recognizer.__name__)
def test_each_recognizer_takes_lone_surrogates_and_control_characters(recognizer: object) -> None:
    assert callable(recognizer)
    assert list(recognizer("\ud800 \x00\x1b[31m \udfff @ : 12")) == []
