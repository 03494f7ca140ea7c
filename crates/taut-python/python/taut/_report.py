"""A motion as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ._model import Again
from ._motion import summary_table

if TYPE_CHECKING:
    import os

    from ._motion import Motion


def report(motion: Motion, path: str | os.PathLike[str] | None) -> str:
    """The page of `taut run --report`, written to a file when one is given; the run is made again for it."""
    if not isinstance(motion._again, Again):
        raise ValueError("only the motion of a model has a page; plot() draws that of functions")
    page = motion._again.report()
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


def frame(motion: Motion) -> str:
    """What a notebook shows of a motion: its page, or a table where it has none."""
    if not isinstance(motion._again, Again):
        return summary_table(motion.summary)
    page = escape(report(motion, None), quote=True)
    return f'<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0"></iframe>'
