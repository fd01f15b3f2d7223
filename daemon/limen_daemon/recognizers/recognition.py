"""All recognizers over one text: overlaps resolved, owners decided, findings made."""

from __future__ import annotations

from dataclasses import dataclass

from limen_daemon.findings import Finding, Subject, Tier
from limen_daemon.recognizers.accounts import accounts
from limen_daemon.recognizers.cards import cards
from limen_daemon.recognizers.coordinates import coordinates
from limen_daemon.recognizers.documents import documents
from limen_daemon.recognizers.emails import emails
from limen_daemon.recognizers.ibans import ibans
from limen_daemon.recognizers.ips import ips
from limen_daemon.recognizers.keys import keys
from limen_daemon.recognizers.kinds import KINDS, Weight
from limen_daemon.recognizers.mailheaders import mail_headers
from limen_daemon.recognizers.national import national_ids
from limen_daemon.recognizers.ownership import whose
from limen_daemon.recognizers.passwords import passwords
from limen_daemon.recognizers.phones import phones
from limen_daemon.recognizers.privatekeys import private_keys
from limen_daemon.recognizers.protocol import Match, Owner, Recognizer
from limen_daemon.recognizers.records import records
from limen_daemon.recognizers.statements import statement
from limen_daemon.recognizers.streets import streets
from limen_daemon.recognizers.urls import urls

# Where two overlap, the earlier recognizer's span stands: secrets first, then checked numbers, then the rest.
RECOGNIZERS: tuple[Recognizer, ...] = (
    private_keys,
    urls,
    keys,
    passwords,
    ibans,
    cards,
    national_ids,
    emails,
    phones,
    ips,
    coordinates,
    documents,
    accounts,
    streets,
    mail_headers,
    records,
)


@dataclass(frozen=True, slots=True)
class Recognized:
    """A recognizer's finding, the match it was made from and whose the words around it say it is."""

    finding: Finding
    match: Match
    owner: Owner


def recognize(text: str) -> tuple[Recognized, ...]:
    """All values of known kinds in `text`, sorted by start, not overlapping."""
    taken: list[Match] = []
    claimed = bytearray(len(text))
    for recognizer in RECOGNIZERS:
        for match in recognizer(text):
            if not any(claimed[match.start : match.end]):
                claimed[match.start : match.end] = b"\x01" * (match.end - match.start)
                taken.append(match)
    taken.sort(key=lambda match: match.start)
    return tuple(owned(text, match, match.owner or whose(text, match.start, match.end)) for match in taken)


def owned(text: str, match: Match, owner: Owner) -> Recognized:
    """The finding of a match whose owner is known."""
    kind = KINDS[match.kind]
    phrase = text[match.start : match.end]
    finding = Finding(
        start=match.start,
        end=match.end,
        phrase=phrase,
        category=kind.category,
        subject=Subject.RELATED if owner is Owner.RELATED else Subject.USER,
        granularity=kind.granularity,
        identifiability=kind.identifiability,
        score=match.score,
        information=statement(match.kind, text, match.start, match.end, owner),
        tier=_tier(kind.weight, owner),
        source="pattern",
    )
    return Recognized(finding, match, owner)


def _tier(weight: Weight, owner: Owner) -> Tier:
    """A credential is always a secret; an identifier is one only when it is the user's or someone's close."""
    if weight is Weight.CREDENTIAL:
        return "secret"
    if owner in (Owner.OTHER, Owner.UNKNOWN):
        return "others"
    return "secret" if weight is Weight.NUMBERED else "disclosure"
