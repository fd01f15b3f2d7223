"""How often the user let things through: by cell, category, site, month.

One walk over an index that is already in group order gives a count for each combination; the database adds
those up along each side, so that only a few dozen rows come out.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import CTE, ColumnElement, Select, String, case, cast, func, literal, select, union_all
from sqlmodel import Session, col

from limen_profiles.decisions import conditions
from limen_profiles.records import ACCEPTED, CellShare, Filter, MonthShare, NamedShare, Share, Summary
from limen_profiles.store.tables import DecisionRow

INDEX = "decision_summary"
GROUP = (
    col(DecisionRow.site),
    col(DecisionRow.category),
    col(DecisionRow.granularity),
    col(DecisionRow.identifiability),
    col(DecisionRow.month),
    col(DecisionRow.decision),
)
"""In the order of the index."""


def summarize(session: Session, wanted: Filter) -> Summary:
    """Counts over the decisions that fit `wanted`. Sites and categories: most decisions first."""
    groups = _groups(wanted)
    cell = func.printf("%d%d", groups.c.granularity, groups.c.identifiability)
    sides = union_all(
        _side("cell", cell, groups),
        _side("category", groups.c.category, groups),
        _side("site", groups.c.site, groups),
        _side("month", cast(groups.c.month, String), groups),
        _side("decision", groups.c.decision, groups),
    )
    shares: dict[str, list[tuple[str, int, int]]] = {}
    for side, name, accepted, total in session.execute(sides):
        shares.setdefault(side, []).append((name, accepted, total))
    whole = _whole(shares.get("decision", []))
    return Summary(
        total=whole.total,
        accepted=whole.accepted,
        by_cell=[
            CellShare(granularity=int(name[0]), identifiability=int(name[1]), accepted=accepted, total=total)
            for name, accepted, total in sorted(shares.get("cell", []))
        ],
        by_category=_named(shares.get("category", [])),
        by_site=_named(shares.get("site", [])),
        by_month=[
            MonthShare(month=f"{name[:4]}-{name[4:]}", accepted=accepted, total=total)
            for name, accepted, total in sorted(shares.get("month", []))
        ],
        by_decision={name: total for name, _, total in sorted(shares.get("decision", []))},  # type: ignore[misc]
    )


def _groups(wanted: Filter) -> CTE:
    query = select(*GROUP, func.count().label("number")).where(*conditions(wanted)).group_by(*GROUP)
    if wanted.search is None and wanted.subject is None:
        # Left to itself SQLite walks the time index for a span of days and reads each row for its group.
        query = query.with_hint(DecisionRow, f"INDEXED BY {INDEX}", "sqlite")
    return query.cte("groups")


def _side(side: str, name: ColumnElement[Any], groups: CTE) -> Select[tuple[str, Any, int, int]]:
    accepted = case((groups.c.decision.in_(sorted(ACCEPTED)), groups.c.number), else_=0)
    return select(literal(side), name, func.sum(accepted), func.sum(groups.c.number)).group_by(name)


def _whole(decisions: list[tuple[str, int, int]]) -> Share:
    return Share(
        accepted=sum(accepted for _, accepted, _ in decisions), total=sum(total for _, _, total in decisions)
    )


def _named(shares: list[tuple[str, int, int]]) -> list[NamedShare]:
    ordered = sorted(shares, key=lambda share: (-share[2], share[0]))
    return [NamedShare(name=name, accepted=accepted, total=total) for name, accepted, total in ordered]
