from __future__ import annotations

from pathlib import Path

import pytest

from limen_daemon.errors import ConfigError
from limen_daemon.settings import PREFIX, Settings, load_settings

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def test_without_variables_the_daemon_listens_on_its_one_port() -> None:
    assert load_settings({"PATH": "/bin"}).authority == "127.0.0.1:15463"


def test_variables_become_settings() -> None:
    settings = load_settings({"LIMEN_PORT": "15500", "LIMEN_STATE_DIR": "/var/x", "LIMEN_DATA": "/elsewhere"})
    assert (settings.port, settings.state_dir) == (15500, Path("/var/x"))


def test_a_misspelt_variable_is_refused_by_name_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"LIMEN_PORTT.*LIMEN_PORT,"):
        load_settings({"LIMEN_PORTT": "15500"})


@pytest.mark.parametrize("port", ["0", "65536", "http", "", "needle-value"])
def test_a_wrong_value_is_refused_with_its_name_and_without_the_value(port: str) -> None:
    with pytest.raises(ConfigError, match="LIMEN_PORT cannot be used") as caught:
        load_settings({"LIMEN_PORT": port})
    assert "needle" not in str(caught.value)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::1", "::", "localhost", "192.168.0.4", "127.0.0.2", "::ffff:127.0.0.1"]
)
def test_any_address_but_loopback_is_a_start_error(host: str) -> None:
    with pytest.raises(ConfigError, match="LIMEN_HOST"):
        load_settings({"LIMEN_HOST": host})


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_has_a_help_and_a_line_in_the_documentation(name: str) -> None:
    field = Settings.model_fields[name]
    assert field.description
    assert f"| `{PREFIX}{name.upper()}` |" in DOCUMENT.read_text(encoding="utf-8")
