"""`limen check` as a person or a script meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from limen_daemon.cli import LazyGroup

CHECK = LazyGroup("limen", commands={"check": "limen_daemon.commands.check:check"}, help="")
EMAIL = "reply to me at jo.ferreira@pradolindo.pt"


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(CHECK, ["check", *arguments], input=stdin, prog_name="limen")


def answer(*arguments: str, stdin: bytes = b"") -> dict[str, object]:
    result = run("--json", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    content: dict[str, object] = json.loads(result.stdout)
    return content


DISCLOSES = [
    "How much should I charge for web design by hour with profit if I need to make $8000 a month",
    "I'm a teacher in China, majoring in computer science. I will go back home to London.",
    "我妈72了，左膝置换以后下楼梯还是疼",
]
DISCLOSES_NOTHING = [
    "How to go from Shanghai to London?",
    "Write a story about Jane, a 34 year old nurse in Leeds.",
    "这部电影谁导演的",
]


@pytest.mark.parametrize("text", DISCLOSES)
def test_the_shipped_model_marks_what_discloses(text: str) -> None:
    found = answer(text)
    assert found["checked_by"] == "model"
    assert found["findings"]
    assert run("--fail-on-leak", text).exit_code == 1


@pytest.mark.parametrize("text", DISCLOSES_NOTHING)
def test_the_shipped_model_leaves_alone_what_does_not(text: str) -> None:
    assert answer(text)["findings"] == []
    result = run("--fail-on-leak", text)
    assert (result.exit_code, "Nothing found" in result.stdout) == (0, True)


def test_json_has_every_field_and_code_point_offsets() -> None:
    text = f"😀 我的邮箱 {EMAIL}"
    (finding,) = answer("--patterns-only", text)["findings"]  # type: ignore[misc]
    assert set(finding) == {
        "start", "end", "phrase", "category", "subject", "granularity", "identifiability", "score",
        "information", "tier", "source",
    }  # fmt: skip
    assert text[finding["start"] : finding["end"]] == finding["phrase"] == "jo.ferreira@pradolindo.pt"


def test_phrases_are_marked_and_explained_below() -> None:
    lines = run("--patterns-only", EMAIL).stdout.splitlines()
    assert lines[0] == "reply to me at [[jo.ferreira@pradolindo.pt]]"
    assert lines[2:5] == [
        "  jo.ferreira@pradolindo.pt",
        "    The user's email address is jo.ferreira@pradolindo.pt.",
        "    contact, yours",
    ]
    assert "Checked with patterns only" in lines[-1]


def test_a_terminal_gets_underlines_unless_it_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pty", reason="this system has no pseudo terminals")
    underlined, plain = _in_a_terminal({}), _in_a_terminal({"NO_COLOR": "1"})
    assert "\x1b[4mjo.ferreira@pradolindo.pt" in underlined
    assert "[[" not in underlined
    assert "\x1b[" not in plain
    assert "[[jo.ferreira@pradolindo.pt]]" in plain


def _in_a_terminal(extra: dict[str, str]) -> str:
    import pty

    environ = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    leader, follower = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-m", "limen_daemon", "check", "--patterns-only", EMAIL],
            stdout=follower, env={**environ, **extra}, check=True, timeout=120,
        )  # fmt: skip
        return os.read(leader, 65536).decode()
    finally:
        os.close(follower)
        os.close(leader)


def test_text_comes_from_a_file_or_from_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(EMAIL, encoding="utf-8")
    from_file = answer("--patterns-only", "--file", str(path))
    from_stdin = answer("--patterns-only", stdin=EMAIL.encode())
    assert from_file == from_stdin == answer("--patterns-only", EMAIL)


def test_line_ends_and_marks_of_byte_order_do_not_shift_offsets(tmp_path: Path) -> None:
    path = tmp_path / "windows.txt"
    path.write_bytes(b"\xef\xbb\xbfHello,\r\n" + EMAIL.encode())
    (finding,) = answer("--patterns-only", "--file", str(path))["findings"]  # type: ignore[misc]
    assert finding["start"] == len("Hello,\r\nreply to me at ")
    path.write_bytes(EMAIL.encode("utf-16"))
    (finding,) = answer("--patterns-only", "--file", str(path))["findings"]  # type: ignore[misc]
    assert finding["start"] == len("reply to me at ")


@pytest.mark.parametrize("text", ["", "  \n\t ", "\ufeff"])
def test_an_empty_text_is_said_to_be_empty(text: str) -> None:
    result = run("--patterns-only", stdin=text.encode())
    assert (result.exit_code, result.stdout) == (0, "Nothing to check: the text is empty.\n")
    assert answer("--patterns-only", stdin=text.encode())["checked_by"] == "none"


@pytest.mark.parametrize(
    "content",
    [b"\x7fELF\x02\x01\x01\x00\x00", b"caf\xe9 au lait", bytes(range(256))],
    ids=["elf", "latin-1", "bytes"],
)
def test_binary_input_is_an_error_not_an_all_clear(content: bytes) -> None:
    result = run("--patterns-only", stdin=content)
    assert result.exit_code == 1
    assert "is not text" in result.stderr
    assert "Nothing found" not in result.output
    assert "Traceback" not in result.output


def test_a_mebibyte_is_checked_and_one_byte_more_is_refused() -> None:
    filler = "The archive is laid out from left to right.\n"
    text = (filler * (2**20 // len(filler)))[: 2**20 - len(EMAIL) - 1] + "\n" + EMAIL
    assert len(text.encode()) == 2**20
    assert [item["phrase"] for item in answer("--patterns-only", stdin=text.encode())["findings"]] == [  # type: ignore[attr-defined]
        "jo.ferreira@pradolindo.pt"
    ]
    result = run("--patterns-only", stdin=text.encode() + b"!")
    assert result.exit_code == 1
    assert "1024 KiB" in result.stderr


def test_mixed_languages_in_one_text_are_checked_together() -> None:
    text = "Meine IBAN ist DE91 9900 0012 0000 4128 76，我的电话是13812345678 and my SSN is 536-22-1945 😀"
    found = [item["phrase"] for item in answer("--patterns-only", text)["findings"]]  # type: ignore[attr-defined]
    assert found == ["DE91 9900 0012 0000 4128 76", "13812345678", "536-22-1945"]


def test_someone_elses_details_can_be_switched_off() -> None:
    text = "his e-mail is bob@pradolindo.pt"
    assert "someone else's details" in run("--patterns-only", text).stdout
    assert run("--patterns-only", "--fail-on-leak", text).exit_code == 1
    assert answer("--patterns-only", "--hide-others", text)["findings"] == []
    assert run("--patterns-only", "--hide-others", "--fail-on-leak", text).exit_code == 0


def test_control_codes_in_a_text_cannot_forge_the_report() -> None:
    text = f"\x1b[2J\x1b]0;title\x07{EMAIL}\r\x1b[1A Nothing found\u202e"
    shown = run("--patterns-only", text).stdout
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert "\u202e" not in shown


def test_a_missing_file_is_one_sentence() -> None:
    result = run("--file", "no-such-file.txt")
    assert result.exit_code == 1
    assert "no-such-file.txt cannot be read (No such file or directory)" in result.stderr


def test_text_and_file_together_are_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x")
    assert run("text", "--file", str(path)).exit_code == 2


def test_an_unknown_model_is_refused_not_replaced() -> None:
    result = run("--model", "no-such-model", EMAIL)
    assert result.exit_code == 1
    assert "limen models list" in result.stderr


def test_the_answer_says_which_detector_ran_and_where() -> None:
    result = run("I have a headache")
    assert "Checked by limen-e5-small-" in result.stdout
    assert " on cpu." in result.stdout


def test_a_missing_model_leaves_patterns_and_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("limen_daemon.models.registry.shipped_folder", lambda: tmp_path)
    result = run(EMAIL)
    assert result.exit_code == 0
    assert "[[jo.ferreira@pradolindo.pt]]" in result.stdout
    assert "patterns only" in result.stdout
    assert "Install Limen again" in result.stdout


def test_help_shows_examples() -> None:
    assert "limen check --file letter.txt" in run("--help").stdout
