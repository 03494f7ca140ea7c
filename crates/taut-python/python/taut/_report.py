"""A motion as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _taut
from ._model import Again
from ._motion import short, summary_table

if TYPE_CHECKING:
    import os

    from ._motion import Motion


def report(motion: Motion, path: str | os.PathLike[str] | None) -> str:
    """The page of `taut run --report`, written to a file when one is given; the run is made again for it."""
    page = motion._again.report() if isinstance(motion._again, Again) else _page_of_functions(motion)
    return written(page, path)


def written(page: str, path: str | os.PathLike[str] | None) -> str:
    """The page, which is in a file as well when one is given."""
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


def frame(motion: Motion) -> str:
    """What a notebook shows of a motion: its page, or a table where that takes a run of functions."""
    if not isinstance(motion._again, Again):
        return summary_table(motion.summary)
    page = escape(report(motion, None), quote=True)
    return f'<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0"></iframe>'


def _page_of_functions(motion: Motion) -> str:
    """Plots and the summary: functions have no picture and no text."""
    layout, summary = motion._layout, motion.summary
    kinds = ["position"] * layout.n
    if layout.mechanical:
        kinds += ["velocity"] * layout.n + ["multiplier"] * len(layout.constraints)
    known = motion._dense is not None or motion._again is not None
    times, rows = motion.dense.places() if known else (motion.t, motion.y)
    stats = summary["stats"]
    reached = float(motion.t[-1]) if len(motion.t) else summary["t"]
    return page_of_rows(
        title="Functions",
        subtitle=f"{layout.n} {'coordinates' if layout.mechanical else 'variables'}; to t = {reached:g}",
        facts=[("method", str(summary["method"])), ("steps", str(stats["accepted"]))],
        warnings=[summary["warning"]] if summary.get("warning") else [],
        summary=summary,
        columns=list(zip(layout.columns, kinds)),
        t=times,
        rows=rows,
        steps=motion.dense.ts if known else motion.t,
    )


def page_of_rows(*, t: Any, rows: Any, steps: Any, summary: dict[str, Any], **words: Any) -> str:
    """The page of columns over time."""
    numbers = {name: np.ascontiguousarray(value, dtype=float) for name, value in (("t", t), ("steps", steps))}
    table = [(name, short(value)) for name, value in summary.items() if value is not None]
    return _taut.page_of_rows({**words, **numbers, "rows": np.ascontiguousarray(rows, dtype=float), "summary": table})
