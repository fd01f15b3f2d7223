"""Commands reach the profile through the daemon that holds it, and only with the folder's key."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from multiprocessing.connection import Client, Listener

import pytest

from harness.profile import Box, make_decision
from limen_profiles import Filter, ProfileService, ProfileStatus, Summary
from limen_profiles.control import client
from limen_profiles.control.channel import Question, address, dial
from limen_profiles.control.operations import OPERATIONS, EraseRequest, Nothing, UnlockRequest
from limen_profiles.control.server import ControlServer
from limen_profiles.errors import StoreBusy

UNLOCK = UnlockRequest.model_validate({"passphrase": "correct horse battery"})


@pytest.fixture
def served(box: Box) -> Iterator[ProfileService]:
    """An open profile, served as the daemon does."""
    service = box.started()
    server = ControlServer(service)
    yield service
    server.close()


def test_a_command_sees_the_profile_the_daemon_holds(box: Box, served: ProfileService) -> None:
    served.profile().record(make_decision())
    answer = client.ask(box.paths, "summary", Filter(), Summary)
    assert answer is not None and answer.total == 1


def test_errors_arrive_with_their_code_and_sentence(box: Box, served: ProfileService) -> None:
    with pytest.raises(client.RemoteError) as caught:
        client.ask(box.paths, "erase", EraseRequest(confirm="yes"), ProfileStatus)
    assert caught.value.code == "not_confirmed"
    assert "erase" in str(caught.value)


def test_unknown_operations_and_fields_are_refused(box: Box, served: ProfileService) -> None:
    for operation, request in (("no_such", Nothing()), ("status", Filter(site="x"))):
        with pytest.raises(client.RemoteError) as caught:
            client.ask(box.paths, operation, request, ProfileStatus)
        assert caught.value.code == "invalid"


def test_a_caller_without_the_key_is_turned_away_and_the_next_is_served(
    box: Box, served: ProfileService
) -> None:
    key = box.paths.control_key.read_bytes()
    box.paths.control_key.write_bytes(b"x" * 32)
    assert dial(box.paths) is None
    box.paths.control_key.write_bytes(key)
    assert client.ask(box.paths, "status", Nothing(), ProfileStatus) is not None


@pytest.mark.parametrize("raw", [b"", b"{", b"\x80\x04K\x01.", b'{"operation": 1}', b"[" * 100_000])
def test_what_is_no_question_is_refused_and_the_next_is_served(
    box: Box, served: ProfileService, raw: bytes
) -> None:
    """Among them a pickle: nothing on this channel is ever unpickled."""
    connection = dial(box.paths)
    assert connection is not None
    with connection:
        connection.send_bytes(raw)
        assert connection.poll(30)
        assert b'"error":"invalid"' in connection.recv_bytes()
    assert client.ask(box.paths, "status", Nothing(), ProfileStatus) is not None


def test_a_program_that_is_not_the_daemon_gets_no_question(box: Box) -> None:
    """Someone else listens where the daemon would: it cannot prove itself, so it hears no passphrase."""
    where = address(box.paths)
    assert where is not None
    box.paths.folder.mkdir(parents=True)
    box.paths.control_key.write_bytes(b"k" * 32)
    heard: list[bytes] = []

    def pretend() -> None:
        with listener.accept() as connection:
            connection.send_bytes(b"n" * 32)
            heard.append(connection.recv_bytes())
            connection.send_bytes(b"p" * 32)
            with contextlib.suppress(EOFError):
                heard.append(connection.recv_bytes())

    with Listener(*where) as listener:
        thread = threading.Thread(target=pretend)
        thread.start()
        assert client.ask(box.paths, "unlock", UNLOCK, ProfileStatus) is None
        thread.join()
    assert len(heard) == 1 and b"correct" not in heard[0]


def test_callers_that_say_nothing_hold_up_nobody(box: Box, served: ProfileService) -> None:
    where = address(box.paths)
    assert where is not None
    silent = [Client(*where) for _ in range(5)]
    assert client.ask(box.paths, "status", Nothing(), ProfileStatus) is not None
    for connection in silent:
        connection.close()


def test_without_a_daemon_there_is_no_answer(box: Box) -> None:
    assert client.ask(box.paths, "status", Nothing(), ProfileStatus) is None


def test_what_a_killed_daemon_left_behind_is_no_daemon(box: Box) -> None:
    box.paths.folder.mkdir(parents=True)
    box.paths.control_key.write_bytes(b"x" * 32)
    box.paths.control_socket.touch()
    assert client.ask(box.paths, "status", Nothing(), ProfileStatus) is None
    server = ControlServer(box.service())
    assert client.ask(box.paths, "status", Nothing(), ProfileStatus) is not None
    server.close()


def test_two_daemons_do_not_share_a_profile(box: Box, served: ProfileService) -> None:
    with pytest.raises(StoreBusy):
        ControlServer(box.service())


def test_a_closed_server_leaves_nothing(box: Box) -> None:
    server = ControlServer(box.started())
    server.close()
    server.close()
    assert not box.paths.control_key.exists()
    assert not box.paths.control_socket.exists()


def test_every_operation_has_a_model_that_hides_what_it_refuses() -> None:
    for name, operation in OPERATIONS.items():
        assert operation.request.model_config.get("hide_input_in_errors"), name
        assert operation.request.model_config.get("extra") == "forbid", name


def test_secrets_of_a_question_do_not_show(box: Box) -> None:
    assert "correct" not in repr(UNLOCK)
    assert Question(operation="unlock", body=client.in_clear(UNLOCK)).body == {
        "passphrase": "correct horse battery"
    }
