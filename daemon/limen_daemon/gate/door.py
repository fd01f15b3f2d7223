"""The door before the gate: a connection that is certain to be refused costs no more than a few system calls.

A refusal through aiohttp costs a protocol, a parser, a task and a request, and then the connection is closed.
Here the first bytes are looked at in the kernel's buffer, without taking them out. If the same rules as the
gate's refuse that head, the answer is written and the socket closed; in every other case the socket goes to
aiohttp untouched. The door can therefore refuse and nothing else.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from aiohttp.hdrs import AUTHORIZATION, ORIGIN

from limen_daemon import journal
from limen_daemon.gate.head import MAX_HEAD_BYTES, RequestHead, read_head
from limen_daemon.gate.protocol import Connections, GateProtocol
from limen_daemon.gate.refusals import refusal_bytes
from limen_daemon.gate.rules import (
    PAIR_PREFIX,
    RULES_OF_THE_HEAD,
    Policy,
    Refusal,
    Rule,
    authorization,
    given_credential,
    method,
    origin,
)

ACCEPTED_AT_ONCE = 32
"""Then the loop turns, and callers that are served already get their turn."""
OUT_OF_FILES_PAUSE_S = 1.0
MAX_DROPPED_BYTES = 1024 * 1024
_DROPPED_AT_ONCE = 64 * 1024

MakeProtocol = Callable[[float], GateProtocol]
"""Given the seconds a connection has waited for its head already."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Certain. `accepted_origin`: the caller's, when it may learn why."""

    refusal: Refusal
    accepted_origin: str | None


@dataclass(frozen=True, slots=True)
class Passed:
    """The gate shall decide. `is_genuine`: a key of ours was used, so the caller is no stranger; its request
    may still be stale."""

    is_genuine: bool = False


_TO_THE_GATE = Passed()


def judge(data: bytes, policy: Policy, rules: Sequence[Rule]) -> Refused | Passed:
    """What `rules` say to the head in `data`, as far as it can be said here. Remembers nothing."""
    head = read_head(data)
    if head is None:
        return _TO_THE_GATE
    for rule in RULES_OF_THE_HEAD:
        if rule in rules and (refusal := rule(head, policy)) is not None:
            # HEAD and OPTIONS have answers of their own.
            return _TO_THE_GATE if rule is method else Refused(refusal, None)
    if authorization not in rules or origin not in rules:
        return _TO_THE_GATE
    return _judge_credential(head, policy)


def _judge_credential(head: RequestHead, policy: Policy) -> Refused | Passed:
    if head.method != "POST" or head.raw_path.startswith(PAIR_PREFIX):
        return _TO_THE_GATE
    credential, value = given_credential(head.headers.getall(AUTHORIZATION, []), policy)
    came_from = head.headers[ORIGIN]
    if credential is None or not credential.could_pass(value, origin=came_from, path=head.raw_path):
        return Refused(Refusal(401, "auth"), came_from)
    return Passed(is_genuine=credential.is_genuine(value, origin=came_from, path=head.raw_path))


@dataclass(eq=False, slots=True)
class _Visitor:
    """An accepted connection that has not said anything yet. `look` looks once more."""

    sock: socket.socket
    came: float
    look: Callable[[_Visitor], bool]
    leave: Callable[[_Visitor], None]
    deadline: asyncio.TimerHandle | None = None
    is_known: bool = False

    def abort(self) -> None:
        self.leave(self)
        self.sock.close()

    def evict(self) -> None:
        """Make room for others. It may have spoken since it was accepted, and then it is heard first."""
        if not self.look(self):
            self.abort()


class Door:
    """Accepts on `listener` (not blocking) from `open` to `close`. Needs a loop with `add_reader`."""

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        make_protocol: MakeProtocol,
        policy: Policy,
        rules: Sequence[Rule],
        *,
        head_deadline_s: float,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = listener
        self._connections = connections
        self._make_protocol = make_protocol
        self._policy = policy
        self._rules = tuple(rules)
        self._head_deadline_s = head_deadline_s
        self._visitors: dict[_Visitor, None] = {}
        self._entering: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None

    def open(self) -> None:
        self._pause = None
        self._loop.add_reader(self._listener, self._accept)

    def close(self) -> None:
        """Accept no more, and drop whoever is still outside of aiohttp."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._listener)
        for visitor in list(self._visitors):
            visitor.abort()
        for task in self._entering:
            task.cancel()

    def _accept(self) -> None:
        silent: list[_Visitor] = []
        self._accept_into(silent)
        if silent:  # a first packet is a moment behind its connection: cheaper to turn than to watch
            self._loop.call_soon(self._look_again, silent)

    def _look_again(self, visitors: list[_Visitor]) -> None:
        for visitor in visitors:
            if not self._look(visitor):
                self._wait(visitor)

    def _accept_into(self, silent: list[_Visitor]) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, _address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:  # out of open files: leave the newcomers in the queue for a while
                journal.event(journal.Event.FAULT, fault=type(error))
                self._loop.remove_reader(self._listener)
                self._pause = self._loop.call_later(OUT_OF_FILES_PAUSE_S, self.open)
                return
            sock.setblocking(False)
            visitor = _Visitor(sock, self._loop.time(), self._look, self._leave)
            if not self._look(visitor):
                silent.append(visitor)

    def _look(self, visitor: _Visitor) -> bool:
        """Refuse, or hand over; False while there is nothing to look at."""
        sock = visitor.sock
        try:
            data = sock.recv(MAX_HEAD_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            visitor.abort()
            return True
        found = judge(data, self._policy, self._rules)
        if isinstance(found, Passed):
            self._leave(visitor)
            task = self._loop.create_task(self._enter(visitor, is_known=found.is_genuine))
            self._entering.add(task)
            task.add_done_callback(self._entering.discard)
            return True
        journal.event(journal.Event.REFUSED, status=found.refusal.status)
        with suppress(OSError):
            sock.send(refusal_bytes(found.refusal, found.accepted_origin))
            _drop_what_came(sock)
        visitor.abort()
        return True

    def _wait(self, visitor: _Visitor) -> None:
        self._visitors[visitor] = None
        visitor.deadline = self._loop.call_later(self._head_deadline_s, visitor.abort)
        self._loop.add_reader(visitor.sock, self._look, visitor)
        self._connections.add(visitor)

    def _leave(self, visitor: _Visitor) -> None:
        if visitor.deadline is None:  # it never waited
            return
        visitor.deadline.cancel()
        self._visitors.pop(visitor, None)
        self._connections.remove(visitor)
        self._loop.remove_reader(visitor.sock)

    async def _enter(self, visitor: _Visitor, *, is_known: bool) -> None:
        def protocol() -> GateProtocol:
            made = self._make_protocol(self._loop.time() - visitor.came)
            made.is_known = is_known
            return made

        try:
            await self._loop.connect_accepted_socket(protocol, visitor.sock)
        except BaseException as error:
            visitor.sock.close()
            if not isinstance(error, OSError | asyncio.CancelledError):
                journal.fault(error)


def _drop_what_came(sock: socket.socket) -> None:
    """Closing over unread bytes would reset the connection, and the caller might never see its answer."""
    dropped = 0
    while dropped < MAX_DROPPED_BYTES:
        part = len(sock.recv(_DROPPED_AT_ONCE))
        dropped += part
        if part < _DROPPED_AT_ONCE:
            return
