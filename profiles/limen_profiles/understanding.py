"""Gets the vectors that a predictor lacks, from an encoder that is lent to the profile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from limen_profiles.boundary.meanings import Embed, Meanings

ANSWER_WITHIN_S = 2.0
FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 60.0
MOST_WANTED = 64
"""Phrases that wait for their vector, beside those of stored choices. Beyond it the oldest is dropped."""
RENEW_EVERY_S = 1.0


class Understanding:
    """A thread that asks for one vector at a time and rests as long as each took, so that detection, which
    the encoder shares its process with, goes first. `close` it; it may be used from any thread.

    `lacking`: the phrases of choices whose vectors are not there. `renew`: take up those that have come, and
    tell whether there were any. An encoder that does not answer is asked again after pauses of 2 to 60
    seconds, and nobody waits for it.
    """

    def __init__(
        self,
        embed: Embed,
        meanings: Meanings,
        *,
        lacking: Callable[[], dict[int, str]],
        renew: Callable[[], bool],
    ) -> None:
        self._embed = embed
        self._meanings = meanings
        self._lacking = lacking
        self._renew = renew
        self._lock = threading.Lock()
        self._wanted: dict[int, str] = {}
        self._awake = threading.Event()
        self._is_closed = threading.Event()
        self._pause_s = 0.0
        self._not_before_s = 0.0
        self._thread = threading.Thread(target=self._run, name="limen-understanding", daemon=True)
        self._awake.set()
        self._thread.start()

    def want(self, phrases: Mapping[int, str]) -> None:
        """Have these understood soon. Does not wait."""
        if not phrases:
            return
        with self._lock:
            self._wanted.update(phrases)
            while len(self._wanted) > MOST_WANTED:
                del self._wanted[next(iter(self._wanted))]
        self._awake.set()

    def understand(self, phrases: Mapping[int, str], within_s: float) -> bool:
        """Have these understood now, if that takes no longer than `within_s`."""
        if time.monotonic() < self._not_before_s:
            return False
        return self._ask(phrases, within_s)

    def look_again(self) -> None:
        """The choices have changed. Phrases that only waited here are forgotten."""
        with self._lock:
            self._wanted.clear()
        self._awake.set()

    def close(self) -> None:
        """Idempotent."""
        self._is_closed.set()
        self._awake.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        renewed_at_s = -RENEW_EVERY_S
        is_due = False
        while True:
            rest_s = max(0.0, renewed_at_s + RENEW_EVERY_S - time.monotonic())
            self._awake.wait(rest_s if is_due else None)
            self._awake.clear()
            if self._is_closed.is_set():
                return
            if not self._catch_up():  # nobody answered
                self._is_closed.wait(self._pause_s)
                self._awake.set()
                continue
            is_due = time.monotonic() < renewed_at_s + RENEW_EVERY_S
            if not is_due and self._renew():
                renewed_at_s = time.monotonic()

    def _catch_up(self) -> bool:
        """Ask for everything that is lacking; False when there was no answer."""
        for number, phrase in {**self._lacking(), **self._wanted_now()}.items():
            while wanted := self._wanted_now():  # the latest first: it is what is being typed
                newest = next(reversed(wanted))
                if not self._ask_and_rest(newest, wanted[newest]):
                    return False
            if self._meanings.get(number) is None and not self._ask_and_rest(number, phrase):
                return False
        return True

    def _wanted_now(self) -> dict[int, str]:
        with self._lock:
            return dict(self._wanted)

    def _ask_and_rest(self, number: int, phrase: str) -> bool:
        if self._is_closed.is_set():
            return False
        started_s = time.monotonic()
        if not self._ask({number: phrase}, ANSWER_WITHIN_S):
            return False
        with self._lock:
            self._wanted.pop(number, None)
        self._is_closed.wait(time.monotonic() - started_s)
        return True

    def _ask(self, phrases: Mapping[int, str], within_s: float) -> bool:
        age = self._meanings.age
        embedding = self._embed(list(phrases.values()), within_s)
        if embedding is None:
            self._pause_s = min(max(FIRST_PAUSE_S, self._pause_s * 2), LONGEST_PAUSE_S)
            self._not_before_s = time.monotonic() + self._pause_s
            return False
        self._pause_s = self._not_before_s = 0.0
        self._meanings.put(list(phrases), embedding, age=age)
        return True
