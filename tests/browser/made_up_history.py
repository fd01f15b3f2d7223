"""Half a year of one made-up person's choices, written into a real profile with a key file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from limen_profiles.paths import ProfilePaths
from limen_profiles.records import Decision, DecisionIn, RuleIn
from limen_profiles.service import ProfileService, now_ms
from limen_profiles.settings import DAY_MS

DAYS = 190
SITES = ("chatgpt.com", "chatgpt.com", "claude.ai", "claude.ai", "gemini.google.com", "chat.deepseek.com")


class Told(NamedTuple):
    """`kept`: how often this person lets it go."""

    phrase: str
    information: str
    category: str
    subject: str
    granularity: int
    identifiability: int
    kept: float


TOLD = (
    Told("a nurse", "You work as a nurse.", "occupation", "user", 1, 1, 0.98),
    Told(
        "night shifts on a children's ward",
        "You work nights on a children's ward.",
        "occupation",
        "user",
        2,
        1,
        0.9,
    ),
    Told(
        "the only night nurse at Saint Oda",
        "You are the only night nurse of Saint Oda.",
        "occupation",
        "user",
        3,
        2,
        0.2,
    ),
    Told("learning to bake bread", "You are learning to bake bread.", "activity", "user", 1, 1, 1.0),
    Told(
        "run along the river every morning",
        "You run along the river every morning.",
        "habit",
        "user",
        2,
        2,
        0.7,
    ),
    Told("moving next spring", "You plan to move next spring.", "intention", "user", 1, 1, 0.95),
    Told("like old science fiction", "You like old science fiction.", "preference", "user", 1, 1, 1.0),
    Told("trouble sleeping", "You have trouble sleeping.", "health", "user", 1, 1, 0.5),
    Told("type 2 diabetes", "You have type 2 diabetes.", "health", "user", 2, 1, 0.2),
    Told("my HbA1c was 64 last Tuesday", "Your HbA1c was 64 last Tuesday.", "health", "user", 3, 2, 0.05),
    Told("patient number 4471-208", "Your patient number is 4471-208.", "identifier", "user", 3, 3, 0.0),
    Told("my 3 year old", "You have a three-year-old child.", "relationship", "related", 2, 1, 0.75),
    Told("my husband lost his job", "Your husband lost his job.", "relationship", "related", 2, 2, 0.4),
    Told("my daughter Tilda", "Your daughter is called Tilda.", "name", "related", 1, 3, 0.1),
    Told("in Leeds", "You live in Leeds.", "location", "user", 1, 2, 0.8),
    Told("near the Kirkgate market", "You live near the Kirkgate market.", "location", "user", 2, 3, 0.15),
    Told("I owe 9,240 on two cards", "You owe 9,240 on two cards.", "finance", "user", 3, 1, 0.3),
    Told("money is tight", "Money is tight for you.", "finance", "user", 1, 1, 0.85),
    Told("jane.cooper@hotmail.com", "Your mail address.", "contact", "user", 3, 3, 0.05),
    Told("speak some Polish", "You speak some Polish.", "skill", "user", 1, 1, 1.0),
)
RULES = (
    RuleIn(rule="allow", scope="category", value="preference"),
    RuleIn(rule="allow", scope="value", value="in Leeds"),
    RuleIn(rule="allow", scope="site", value="claude.ai"),
    RuleIn(rule="block", scope="value", value="jane.cooper@hotmail.com"),
    RuleIn(rule="block", scope="category", value="identifier"),
)


def _decision(told: Told, chance: random.Random, progress: float) -> Decision:
    # This person gives a little less away as time goes by.
    if chance.random() < told.kept * (1.1 - 0.25 * progress):
        return chance.choice(("kept", "kept", "kept", "sent"))
    return chance.choice(("redacted", "redacted", "generalized"))


def make_profile(folder: Path, count: int, *, with_rules: bool = True) -> list[Decision]:
    """A new profile in `folder/profile`, its key in `folder/keys`. Returns the choices, oldest first.

    The last ones are of today and yesterday. The daemon must not be running on the folder.
    """
    chance = random.Random(7)
    end = now_ms()
    clock = [end - DAYS * DAY_MS]
    service = ProfileService(ProfilePaths(folder / "profile"), clock_ms=lambda: clock[0])
    service.init("key_file", key_file=folder / "keys" / "profile.key")
    made: list[Decision] = []
    try:
        for number in range(count):
            clock[0] = end - round(((count - number) / count) ** 1.5 * DAYS * DAY_MS)
            told = TOLD[number % len(TOLD)] if number < len(TOLD) else chance.choice(TOLD)
            decision = _decision(told, chance, number / count)
            fields = {name: value for name, value in told._asdict().items() if name != "kept"}
            guess = round(min(1.0, max(0.0, told.kept + chance.uniform(-0.15, 0.15))), 2)
            service.profile().record(
                DecisionIn(
                    **fields, decision=decision, site=chance.choice(SITES), p_accept=guess, detector="model"
                )
            )
            made.append(decision)
        clock[0] = end
        for rule in RULES if with_rules else ():
            service.profile().add_rule(rule)
    finally:
        service.close()
    return made
