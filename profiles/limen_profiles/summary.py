"""How often the user let things through: by cell, category, site, month.

One walk over an index that is already in group order; the rest is adding up a few hundred groups.
"""

from __future__ import annotations

from collections import defaultdict

from sqlmodel import Session, col, func, select

from limen_profiles.decisions import conditions
from limen_profiles.records import (
    ACCEPTED,
    CellShare,
    Decision,
    Filter,
    MonthShare,
    NamedShare,
    Summary,
)
from limen_profiles.store.tables import DecisionRow

GROUP = (
    col(DecisionRow.site),
    col(DecisionRow.category),
    col(DecisionRow.granularity),
    col(DecisionRow.identifiability),
    col(DecisionRow.month),
    col(DecisionRow.decision),
)
"""In the order of the index `decision_summary`."""


def summarize(session: Session, wanted: Filter) -> Summary:
    """Counts over the decisions that fit `wanted`. Sites and categories: most decisions first."""
    groups = session.execute(
        select(*GROUP, func.count()).where(*conditions(wanted)).group_by(*GROUP)  # type: ignore[call-overload]
    ).all()
    cells: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    categories: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    sites: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    months: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    kinds: dict[Decision, int] = defaultdict(int)
    for site, category, granularity, identifiability, month, decision, count in groups:
        accepted = count if decision in ACCEPTED else 0
        kinds[decision] += count
        for tally in (
            cells[(granularity, identifiability)],
            categories[category],
            sites[site],
            months[month],
        ):
            tally[0] += accepted
            tally[1] += count
    return Summary(
        total=sum(kinds.values()),
        accepted=sum(count for decision, count in kinds.items() if decision in ACCEPTED),
        by_cell=[
            CellShare(granularity=cell[0], identifiability=cell[1], accepted=accepted, total=total)
            for cell, (accepted, total) in sorted(cells.items())
        ],
        by_category=_named(categories),
        by_site=_named(sites),
        by_month=[
            MonthShare(month=f"{month // 100}-{month % 100:02}", accepted=accepted, total=total)
            for month, (accepted, total) in sorted(months.items())
        ],
        by_decision=dict(kinds),
    )


def _named(tallies: dict[str, list[int]]) -> list[NamedShare]:
    ordered = sorted(tallies.items(), key=lambda item: (-item[1][1], item[0]))
    return [NamedShare(name=name, accepted=accepted, total=total) for name, (accepted, total) in ordered]
