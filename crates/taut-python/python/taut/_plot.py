"""Pictures with matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._optional import optional

if TYPE_CHECKING:
    from ._motion import Motion

#: with more coordinates than this, only so many are drawn unless columns are named
_MOST = 12


def plot(motion: Motion, columns: str | Iterable[str] | None, ax: Any) -> Any:
    """Columns over time; the axes they were drawn into."""
    pyplot = optional("matplotlib.pyplot", "plot()")
    if columns is None:
        columns = motion._layout.names[:_MOST]
    names = [columns] if isinstance(columns, str) else list(columns)
    if ax is None:
        _, ax = pyplot.subplots()
    for name in names:
        ax.plot(motion.t, motion[name], label=name)
    ax.set_xlabel("t")
    ax.legend()
    return ax
