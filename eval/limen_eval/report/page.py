"""A single HTML file with everything about some runs: no script, nothing loaded from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from limen_eval.records.atomic import write_atomic
from limen_eval.records.folder import RunFolder
from limen_eval.report.figures import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem}
body{color:#1b1b1b;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem;border-top:1px solid #ccc;padding-top:1rem}
pre{overflow-x:auto;background:#f5f5f5;padding:1rem;font-size:.82rem;line-height:1.45}
figure{margin:1.5rem 0}svg{max-width:100%;height:auto}
dt{font-weight:600}dd{margin:0 0 .4rem 1rem;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}pre{background:#2a2a2a}figure{background:#fff}}
"""


class Section(NamedTuple):
    """What a run contributes: its tables as text, and its figures by file name."""

    text: str
    figures: dict[str, Figure]


def write_report(folders: Sequence[RunFolder], target: Path | None = None) -> Path:
    """Draw every run's plots into its folder and write one page about all of them.

    `target`: default `report.html` in the first run's folder. Raises: `RunError` for an unfinished run.
    """
    target = target or folders[0].path / "report.html"
    body = [_run_html(folder) for folder in folders]
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Limen evaluation</title><style>{_STYLE}</style></head><body>"
        f"<h1>Limen evaluation</h1>{''.join(body)}</body></html>\n"
    )
    write_atomic(target, page)
    return target


def _run_html(folder: RunFolder) -> str:
    from limen_eval.report.sections import section_of  # It imports every kind of run.

    section = section_of(folder)
    manifest = folder.manifest
    plots = "".join(
        f"<figure>{_inline(save(figure, folder.path / 'plots', name), f'{folder.path.name}-{name}')}</figure>"
        for name, figure in section.figures.items()
    )
    facts = {
        "Started, finished": f"{manifest.started_at}, {manifest.finished_at or 'not finished'}",
        "Detector": json.dumps(manifest.detector, ensure_ascii=False),
        "Settings": json.dumps(manifest.resolved, ensure_ascii=False),
        "Versions": json.dumps(manifest.packages),
        "Revision": f"{manifest.revision.commit}{' (changed)' if manifest.revision.dirty else ''}"
        if manifest.revision
        else "none",
        "Files": "; ".join(f"{Path(f.path).name} {f.sha256[:12]}" for f in manifest.files),
        "Left out": json.dumps(manifest.skipped) if manifest.skipped else "nothing",
    }
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return (
        f"<h2>{escape(manifest.kind)}: {escape(folder.path.name)}</h2><pre>{escape(section.text)}</pre>"
        f"{plots}<dl>{rows}</dl>"
    )


def _inline(svg: str, prefix: str) -> str:
    """The `<svg>` element alone; ids get a prefix, because figures on one page must not share them."""
    element = svg[svg.index("<svg") :]
    safe = "".join(c if c.isalnum() else "-" for c in prefix)
    return (
        element.replace('id="', f'id="{safe}-')
        .replace('href="#', f'href="#{safe}-')
        .replace("url(#", f"url(#{safe}-")
    )
