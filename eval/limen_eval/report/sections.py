"""What each kind of run shows in the report."""

from __future__ import annotations

from limen_eval.cider.report import cider_section
from limen_eval.latency.report import latency_section
from limen_eval.privacy.report import privacy_section
from limen_eval.records.folder import RunFolder
from limen_eval.report.page import Section


def section_of(folder: RunFolder) -> Section:
    """The tables and figures of a finished run."""
    sections = {"privacy": privacy_section, "cider": cider_section, "latency": latency_section}
    return sections[folder.manifest.kind](folder)
