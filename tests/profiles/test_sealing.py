"""Sealing under a passphrase: what was altered is refused, cheaply."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limen_profiles.errors import SealDamaged, WeakPassphrase, WrongPassphrase
from limen_profiles.sealing import KdfCost, WrappingKey, check_passphrase, read_sealed, unseal

PASSPHRASE = "correct horse battery"
CHEAP = KdfCost(passes=3, memory_kib=64 * 1024, lanes=1)


@pytest.fixture(scope="module")
def sealed() -> dict[str, Any]:
    raw = WrappingKey.derive(PASSPHRASE, cost=CHEAP).seal(b"content", "export")
    parsed: dict[str, Any] = json.loads(raw)
    return parsed


def test_the_right_passphrase_gives_the_content_back(sealed: dict[str, Any]) -> None:
    content, _ = unseal(json.dumps(sealed).encode(), PASSPHRASE, "export")
    assert content == b"content"


def test_another_passphrase_is_refused(sealed: dict[str, Any]) -> None:
    with pytest.raises(WrongPassphrase):
        unseal(json.dumps(sealed).encode(), PASSPHRASE + "!", "export")


def test_the_same_key_never_seals_twice_alike() -> None:
    key = WrappingKey.derive(PASSPHRASE, cost=CHEAP)
    assert key.seal(b"content", "export") != key.seal(b"content", "export")


@pytest.mark.parametrize(
    ("field", "value"),
    [("memory_kib", 8), ("memory_kib", 10 * 1024**2), ("passes", 1), ("passes", 10_000), ("lanes", 10**6)],
)
def test_cost_out_of_bounds_is_refused_before_any_work(
    sealed: dict[str, Any], field: str, value: int
) -> None:
    cost = {**sealed["header"]["cost"], field: value}
    with pytest.raises(SealDamaged):
        read_sealed(_with(sealed, cost=cost), "export")


def test_cost_altered_within_bounds_does_not_open(sealed: dict[str, Any]) -> None:
    cost = {**sealed["header"]["cost"], "passes": 4}
    with pytest.raises(WrongPassphrase):
        unseal(_with(sealed, cost=cost), PASSPHRASE, "export")


def test_header_is_authenticated(sealed: dict[str, Any]) -> None:
    """A wrapped key cannot pass for an export, even with its purpose rewritten."""
    with pytest.raises(WrongPassphrase):
        unseal(_with(sealed, purpose="profile-key"), PASSPHRASE, "profile-key")


def test_another_purpose_is_refused(sealed: dict[str, Any]) -> None:
    with pytest.raises(SealDamaged):
        read_sealed(json.dumps(sealed).encode(), "profile-key")


@pytest.mark.parametrize("raw", [b"", b"{}", b"\xff", b'{"header": 1, "box": ""}', b"[" * 100_000])
def test_what_is_not_sealed_is_refused(raw: bytes) -> None:
    with pytest.raises(SealDamaged):
        read_sealed(raw, "export")


def test_eleven_characters_are_too_few() -> None:
    check_passphrase("x" * 12)
    with pytest.raises(WeakPassphrase):
        check_passphrase("x" * 11)


def _with(sealed: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({**sealed, "header": {**sealed["header"], **changes}}).encode()
