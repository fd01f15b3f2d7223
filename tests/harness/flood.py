"""Floods a port with one request, a new connection each time, from a process of its own.

`python -m harness.flood PORT SECONDS AT_ONCE < request` prints as JSON how many answers came, by status;
`python -m harness.flood PORT hold COUNT` opens silent sockets, and again those that are closed, until killed.
Blocking sockets and nothing else: what it measures should not be what it costs.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import time
from collections import Counter, deque


def flood(port: int, seconds: float, at_once: int, data: bytes) -> Counter[str]:
    """Keeps `at_once` requests on their way; "lost" are those without an answer."""
    counts: Counter[str] = Counter()
    waiting: deque[socket.socket] = deque()
    until = time.monotonic() + seconds
    while time.monotonic() < until or waiting:
        while len(waiting) < at_once and time.monotonic() < until:
            sock = socket.create_connection(("127.0.0.1", port), timeout=30)
            sock.sendall(data)
            waiting.append(sock)
        sock = waiting.popleft()
        try:
            answer = sock.recv(4096)
        except OSError:
            answer = b""
        counts[answer[9:12].decode("ascii", "replace") or "lost"] += 1
        sock.close()
    return counts


def hold(port: int, count: int) -> None:
    """Keeps `count` sockets open, as far as the other end lets it."""
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    print("held", flush=True)
    while True:
        time.sleep(1)
        poll = select.poll()
        places = {sock.fileno(): place for place, sock in enumerate(held)}
        for descriptor in places:
            poll.register(descriptor, select.POLLIN)
        for descriptor, _ in poll.poll(0):
            place = places[descriptor]
            held[place].close()
            held[place] = socket.create_connection(("127.0.0.1", port))


if __name__ == "__main__":
    if sys.argv[2] == "hold":
        hold(int(sys.argv[1]), int(sys.argv[3]))
    port, seconds, at_once = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    print(json.dumps(flood(port, seconds, at_once, sys.stdin.buffer.read())))
