"""What the choice of a frame looks at. All features are names; a weight table turns them into numbers."""

from __future__ import annotations

from limen_daemon.information.clause_en import Clause, has_finite_verb, shape_of
from limen_daemon.information.clause_zh import ChineseClause


def features_en(clause: Clause, category: str, related: bool) -> list[str]:
    shape = shape_of(clause.phrase, clause.previous)
    words = clause.phrase.lower().split()
    distance = (
        "0"
        if clause.distance == 0
        else "1"
        if clause.distance == 1
        else (
            "2"
            if clause.distance <= 3
            else "3"
            if clause.distance <= 6
            else "4"
            if clause.distance <= 9
            else "5"
        )
    )
    subject = clause.subject.split("'")[0] if clause.subject else "none"
    return [
        "bias",
        f"c={category}",
        f"r={related}",
        f"s={shape}",
        f"d={subject}{distance if clause.subject else ''}",
        f"cs={category}/{shape}",
        f"p={clause.previous}",
        f"pp={clause.previous_two}",
        f"w={words[0] if words else ''}",
        f"l={min(len(words), 8)}",
        f"v={has_finite_verb(clause.phrase)}",
        f"rel={bool(clause.relative)}/{related}",
        f"start={clause.sentence_start}",
        f"right={min(len(clause.right.split()), 6)}",
    ]


def features_zh(clause: ChineseClause, category: str, related: bool) -> list[str]:
    phrase = clause.phrase.strip()
    return [
        "bias",
        f"c={category}",
        f"r={related}",
        f"me={clause.has_me}/{min(len(clause.after_me), 6)}",
        f"seg={min(len(clause.segment), 8)}",
        f"f1={phrase[:1]}",
        f"f2={phrase[:2]}",
        f"l1={phrase[-1:]}",
        f"l2={phrase[-2:]}",
        f"n={min(len(phrase), 14)}",
        f"p={clause.previous}",
        f"p2={clause.segment[-2:]}",
        f"t={clause.thing}",
        f"ct={category}/{clause.thing}",
        f"rel={bool(clause.relative)}/{related}",
        f"right={min(len(clause.right), 8)}",
        f"r2={clause.right[:2]}",
        f"cf={category}/{phrase[:1]}",
    ]
