"""A motion as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._motion import summary_table

if TYPE_CHECKING:
    import os

    from ._motion import Motion


def report(motion: Motion, path: str | os.PathLike[str] | None) -> str:
    """The page, written to a file when one is given."""
    raise NotImplementedError


def frame(motion: Motion) -> str:
    """What a notebook shows of a motion."""
    return summary_table(motion.summary)
