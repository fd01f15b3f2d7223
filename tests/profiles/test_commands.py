"""`limen profile …`, with the profile in a key file and with a daemon that holds it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.profile import Box, make_decision
from limen_profiles import ProfileService
from limen_profiles.commands.profile import profile as group
from limen_profiles.control.server import ControlServer
from limen_profiles.keys import keyring_holder

PASSPHRASE = "correct horse battery"
Limen = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has: the commands must not touch the tester's keyring."""
    monkeypatch.setattr(keyring_holder, "ALLOWED_BACKENDS", ())


@pytest.fixture
def limen(box: Box) -> Limen:
    def run(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(
            group, ["--folder", str(box.paths.folder), *arguments], input=typed, catch_exceptions=False
        )

    return run


@pytest.fixture
def started(box: Box, limen: Limen) -> Limen:
    assert limen("init", "--key-file", str(box.key_file)).exit_code == 0
    service = ProfileService(box.paths)
    service.start()
    service.profile().record(make_decision("kept", "type 2 diabetes"))
    service.profile().record(make_decision("redacted", "Maren Oduya", site="claude.ai"))
    service.close()
    return limen


@pytest.fixture
def daemon(box: Box, started: Limen) -> Iterator[ProfileService]:
    service = ProfileService(box.paths)
    service.start()
    server = ControlServer(service)
    yield service
    server.close()
    service.close()


def test_without_a_keyring_init_says_what_to_choose(limen: Limen, box: Box) -> None:
    result = limen("init")
    assert result.exit_code == 78
    assert "--passphrase" in result.stderr and "--memory" in result.stderr
    assert not box.paths.database.exists()


def test_key_file_is_started_with_its_warning(limen: Limen, box: Box) -> None:
    result = limen("init", "--key-file", str(box.key_file))
    assert "not against someone who has the disk" in result.stderr
    assert len(box.key_file.read_text().strip()) == 64


def test_init_takes_one_place_for_the_key(limen: Limen) -> None:
    assert limen("init", "--memory", "--passphrase").exit_code == 2


def test_init_does_not_touch_a_profile_that_is_there(started: Limen, box: Box) -> None:
    before = box.paths.database.read_bytes()
    result = started("init", "--memory")
    assert (result.exit_code, box.paths.database.read_bytes()) == (1, before)


def test_show_without_a_profile_names_the_way_to_one(limen: Limen) -> None:
    result = limen("show")
    assert result.exit_code == 1
    assert "limen profile init" in result.stderr


def test_show_lists_the_history_newest_first(started: Limen) -> None:
    lines = started("show").stdout.splitlines()
    assert "(not kept)" in lines[0] and "claude.ai" in lines[0]
    assert "type 2 diabetes" in lines[1]
    assert lines[2] == "2 decisions, page 1 of 1."


def test_show_filters(started: Limen) -> None:
    assert "1 decisions" in started("show", "--site", "claude.ai").stdout
    assert "0 decisions" in started("show", "--since", "2999-01-01").stdout
    assert "1 decisions" in started("show", "--search", "diabetes").stdout


def test_show_prints_stable_json(started: Limen) -> None:
    page = json.loads(started("show", "--json").stdout)
    assert [item["phrase"] for item in page["items"]] == [None, "type 2 diabetes"]
    summary = json.loads(started("show", "--summary", "--json").stdout)
    assert (summary["accepted"], summary["total"]) == (1, 2)


def test_show_adds_up_in_words(started: Limen) -> None:
    text = started("show", "--summary").stdout
    assert "You let 1 of 2 through." in text
    assert "claude.ai             0 of 1" in text


def test_export_is_sealed_and_imports_again(started: Limen, tmp_path: Path) -> None:
    file = tmp_path / "mine.limen"
    assert started("export", str(file), typed=f"{PASSPHRASE}\n{PASSPHRASE}\n").exit_code == 0
    assert b"diabetes" not in file.read_bytes()
    assert started("erase", "--confirm", "erase").exit_code == 0
    started("init", "--key-file", str(tmp_path / "new.key"))
    wrong = started("import", str(file), typed="something else\n")
    assert (wrong.exit_code, "Wrong passphrase." in wrong.stderr) == (1, True)
    assert "Imported 2 decisions" in started("import", str(file), typed=f"{PASSPHRASE}\n").stdout


def test_a_short_passphrase_is_refused_before_it_is_typed_again(started: Limen, tmp_path: Path) -> None:
    file = tmp_path / "memory.limen"
    result = started("export", str(file), typed=f"short\n{PASSPHRASE}\n{PASSPHRASE}\n")
    assert result.exit_code == 0
    assert result.output.count("at least 12 characters.") == 1
    assert "short\n" not in result.output
    assert file.is_file()


def test_export_does_not_overwrite(started: Limen, tmp_path: Path) -> None:
    file = tmp_path / "mine.limen"
    file.write_text("precious")
    result = started("export", str(file), typed=f"{PASSPHRASE}\n{PASSPHRASE}\n")
    assert (result.exit_code, file.read_text()) == (1, "precious")


def test_plain_export_needs_the_word(started: Limen, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    assert started("export", "--plain", str(file), typed="yes\n").exit_code == 1
    assert not file.exists()
    assert started("export", "--plain", str(file), typed="plain\n").exit_code == 0
    assert json.loads(file.read_text())["decisions"][0]["phrase"] == "type 2 diabetes"


def test_rotate_changes_the_key_file(started: Limen, box: Box) -> None:
    before = box.key_file.read_text()
    assert started("rotate").exit_code == 0
    assert box.key_file.read_text() != before
    assert "2 decisions" in started("show").stdout


def test_passphrase_is_asked_for_and_can_be_changed(limen: Limen) -> None:
    assert limen("init", "--passphrase", typed=f"{PASSPHRASE}\n{PASSPHRASE}\n").exit_code == 0
    wrong = limen("show", typed="not this one\n")
    assert (wrong.exit_code, "Wrong passphrase." in wrong.stderr) == (1, True)
    new = "a new long passphrase"
    assert limen("rotate", "--new-passphrase", typed=f"{PASSPHRASE}\n{new}\n{new}\n").exit_code == 0
    assert limen("show", typed=f"{new}\n").exit_code == 0


def test_erase_needs_the_word_and_leaves_nothing(started: Limen, box: Box) -> None:
    assert started("erase", typed="yes\n").exit_code == 1
    assert box.paths.database.exists()
    assert started("erase", typed="erase\n").exit_code == 0
    assert not box.paths.database.exists() and not box.key_file.exists()


def test_commands_go_through_the_daemon_that_holds_the_profile(daemon: ProfileService, limen: Limen) -> None:
    assert "2 decisions" in limen("show").stdout
    assert limen("rotate").exit_code == 0
    assert limen("lock").exit_code == 0
    assert daemon.status().mode == "locked"
    assert "The profile is open." in limen("unlock").stdout
    assert daemon.status().mode == "on"
    assert limen("erase", "--confirm", "erase").exit_code == 0
    assert daemon.status().mode == "off"


def test_unlock_gives_the_passphrase_to_the_daemon(box: Box, limen: Limen) -> None:
    limen("init", "--passphrase", typed=f"{PASSPHRASE}\n{PASSPHRASE}\n")
    service = ProfileService(box.paths)
    assert service.start().mode == "locked"
    server = ControlServer(service)
    try:
        assert limen("unlock", typed=f"{PASSPHRASE}\n").exit_code == 0
        assert service.status().mode == "on"
    finally:
        server.close()
        service.close()


def test_status_tells_where_the_key_is(started: Limen) -> None:
    assert started("show", "--status").stdout.splitlines() == ["Profile: on", "Key: key file"]


def test_decisions_are_corrected_and_deleted_by_id_and_by_filter(started: Limen) -> None:
    assert started("edit", "1", "redacted").exit_code == 0
    assert "(not kept)" in started("show", "--site", "chatgpt.com").stdout
    assert started("edit", "99", "kept").exit_code == 1
    assert "Deleted 1 decisions." in started("delete", "--site", "claude.ai").stdout
    assert "Deleted 1 decisions." in started("delete", "1").stdout
    assert "0 decisions" in started("show").stdout


@pytest.mark.parametrize("arguments", [(), ("1", "--all"), ("--all", "--site", "claude.ai")])
def test_deletion_must_say_which(started: Limen, arguments: tuple[str, ...]) -> None:
    assert started("delete", *arguments).exit_code == 2
    assert "2 decisions" in started("show").stdout


def test_rules_are_made_shown_and_removed(started: Limen) -> None:
    assert started("allow", "category", "skill").exit_code == 0
    assert "D•••0" in started("block", "value", "DE89 3704 0").stdout
    assert "2 rules." in started("show", "--rules").stdout
    assert started("unlist", "1").exit_code == 0
    assert "1 rules." in started("show", "--rules").stdout
    assert started("allow", "category", "No Category").exit_code == 1


def test_settings_are_shown_and_changed(started: Limen) -> None:
    changed = started("settings", "--retention-days", "never", "--caution", "careful", "--json")
    now = json.loads(changed.stdout)
    assert (now["retention_days"], now["caution"], now["half_life_days"]) == (None, "careful", 180)
    assert "retention-days    never" in started("settings").stdout
    assert started("settings", "--half-life-days", "1").exit_code == 1
    assert started("settings", "--half-life-days", "soon").exit_code == 2


def test_a_setting_set_to_never_survives_the_way_through_the_daemon(
    daemon: ProfileService, limen: Limen
) -> None:
    limen("settings", "--retention-days", "never")
    assert daemon.profile().settings().retention_days is None
    limen("settings", "--caution", "relaxed")
    assert (daemon.profile().settings().retention_days, daemon.profile().settings().caution) == (
        None,
        "relaxed",
    )


def test_pause_is_begun_and_ended(daemon: ProfileService, limen: Limen) -> None:
    limen("pause", "30")
    assert daemon.status().mode == "paused"
    limen("pause", "0")
    assert daemon.status().mode == "on"


def test_calibration_can_be_left_and_resumed(started: Limen) -> None:
    left = started("calibrate", typed="y\ny\nn\nn\ny\n")
    assert left.exit_code == 1
    assert "2 of 8" in left.stdout
    done = started("calibrate", typed="y\nn\nn\nn\n" * 7)
    assert "All 8 situations are answered." in done.stdout
